import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { api, said, wrapped, type Answer } from "../../../support/api.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { makeWorld, ROUTES, tokenOf, type Route } from "../../../support/routes/every-route.ts";
import { isUnchanging, keysOf, poster, POSTS, replayed } from "../../../support/routes/keyed.ts";

const TWINS = 50;

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

const isOnce = ({ route }: Route) => /platforms|tokens\/:token\/rotate|conversion-secret/.test(route);
const REPLAYED = POSTS.filter((route) => !isOnce(route) && !isUnchanging(route));
const ONCE = POSTS.filter(isOnce);

/** Returns a member that turns a body into a different one that is also accepted. */
const different = ({ route }: Route) => {
  if (route.endsWith("replay")) return { ids: [newId("event")] };
  return /rotate|:platform\/token/.test(route) ? { overlapSeconds: 60 } : { name: "Another" };
};

/** Counts the rows of every table but those that are published, and the keys. */
const counts = async () => {
  const tables = await h.rows<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('publish_outbox', 'idempotency_keys')",
  );
  const all = tables.map(async ({ name }) => {
    const [row] = await h.rows<{ count: string }>(`select count(*) from ${name}`);
    return [name, Number(row?.count)] as const;
  });
  return Object.fromEntries(await Promise.all(all));
};

/** Tells by how many rows each table grew. */
const effectOf = async (act: () => Promise<unknown>) => {
  const before = await counts();
  await act();
  const grown = Object.entries(await counts()).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(grown.filter(([, more]) => more !== 0));
};

const all = (times: number, act: () => Promise<Answer>) => Promise.all(Array.from({ length: times }, act));

it("there are ten changes that are answered again, and four that are not", () => {
  expect([REPLAYED.length, ONCE.length]).toEqual([10, 4]);
});

describe.each(REPLAYED)("$route", (route) => {
  it("happens once for fifty twins at once, who are all answered alike", async () => {
    await poster(h, route, await makeWorld(h))();
    const single = await makeWorld(h);
    const once = await effectOf(poster(h, route, single));
    const world = await makeWorld(h);
    const key = newId("event");
    let answers: Answer[] = [];
    const post = poster(h, route, world, key);
    expect(await effectOf(async () => (answers = await all(TWINS, post)))).toEqual(once);
    expect([...new Set(answers.map((answer) => JSON.stringify(said(answer))))]).toHaveLength(1);
    expect([...new Set(answers.map(({ headers }) => headers.get("etag")))]).toHaveLength(1);
    expect(answers[0]?.status).toBe(route.route.endsWith("import") ? 200 : 201);
    expect(answers.filter((answer) => replayed(answer) === "true")).toHaveLength(TWINS - 1);
    expect(await keysOf(h, key)).toHaveLength(1);

    const later = await post();
    expect([said(later), replayed(later)]).toEqual([said(answers[0] as Answer), "true"]);
  });
});

const KEYED = ROUTES.filter((route) => route.route.startsWith("POST") && !isUnchanging(route));

it.each(KEYED)("$route is refused under a key that stands for another request, and changes nothing", async (route) => {
  const world = await makeWorld(h);
  const key = newId("event");
  const other = { token: tokenOf(route, world), headers: { "idempotency-key": key } };
  const path = { publisher: "/api/site?x", platform: "/api/v1/advertisers", admin: "/api/v1/platforms" }[route.by];
  const body = { name: newId("event") };
  expect((await api(h, "POST", path, { ...other, body })).status).toBe(201);
  const refuse = async () => {
    const answer = await poster(h, route, world, key)();
    expect(said(answer)).toEqual([422, wrapped("IDEMPOTENCY_KEY_REUSED")]);
  };
  expect(await effectOf(refuse)).toEqual({});
});

it.each(KEYED.filter(({ body }) => body))("$route is refused with another body under the same key", async (route) => {
  const world = await makeWorld(h);
  const key = newId("event");
  expect((await poster(h, route, world, key)()).status).toBeLessThan(300);
  const other = { ...route.body?.(world), ...different(route) };
  expect(said(await poster(h, route, world, key, other)())).toEqual([422, wrapped("IDEMPOTENCY_KEY_REUSED")]);
});

describe.each(ONCE)("$route", (route) => {
  it("happens once for fifty twins at once, and tells all but one that it is not shown again", async () => {
    await poster(h, route, await makeWorld(h))();
    const once = await effectOf(poster(h, route, await makeWorld(h)));
    const world = await makeWorld(h);
    const key = newId("event");
    let answers: Answer[] = [];
    const post = poster(h, route, world, key);
    expect(await effectOf(async () => (answers = await all(TWINS, post)))).toEqual(once);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 201);
    expect([...new Set(others.map((answer) => JSON.stringify(said(answer))))]).toHaveLength(1);
    expect(said(others[0] as Answer)).toEqual([409, wrapped("CONFLICT")]);
    expect(others.map(replayed).filter((value) => value !== null)).toEqual([]);
    expect(await keysOf(h, key)).toMatchObject([{ answer: null }]);
  });
});
