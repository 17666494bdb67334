import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { api, dataOf, invalid, said, wrapped, type Answer } from "../../../support/api.ts";
import { makeCreative, makePublisher } from "../../../support/factories.ts";
import { runCron } from "../../../support/faults/situation.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { addressOf, makeWorld, ROUTES, tokenOf, type Route, type World } from "../../../support/routes/every-route.ts";
import { SECRETS } from "../../../support/secrets.ts";

const TWINS = 50;

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

const POSTS = ROUTES.filter(({ route }) => route.startsWith("POST") && !route.endsWith("replay"));
const isUnchanging = ({ route }: Route) => /explain|forecast/.test(route);
const isOnce = ({ route }: Route) => /platforms|tokens\/:token\/rotate|conversion-secret/.test(route);
const REPLAYED = POSTS.filter((route) => !isOnce(route) && !isUnchanging(route));
const ONCE = POSTS.filter(isOnce);

/** Makes what posts one request under a key as often as it is called. */
const poster = (route: Route, world: World, key?: string, body: unknown = route.body?.(world)) => {
  const { method, path } = addressOf(route, world);
  const headers = key === undefined ? {} : { "idempotency-key": key };
  return () => api(h, method, path, { token: tokenOf(route, world), body, headers });
};

/** Returns a member that makes a body another one that is accepted. */
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

const keysOf = (key: string) => h.rows("select principal, answer::text from idempotency_keys where key = $1", [key]);
const replayed = (answer: Answer) => answer.headers.get("idempotent-replayed");
const all = (times: number, act: () => Promise<Answer>) => Promise.all(Array.from({ length: times }, act));

it("there are ten changes that are answered again, and four that are not", () => {
  expect([REPLAYED.length, ONCE.length]).toEqual([10, 4]);
});

describe.each(REPLAYED)("$route", (route) => {
  it("happens once for fifty twins at once, who are all answered alike", async () => {
    await poster(route, await makeWorld(h))();
    const single = await makeWorld(h);
    const once = await effectOf(poster(route, single));
    const world = await makeWorld(h);
    const key = newId("event");
    let answers: Answer[] = [];
    const post = poster(route, world, key);
    expect(await effectOf(async () => (answers = await all(TWINS, post)))).toEqual(once);
    expect([...new Set(answers.map((answer) => JSON.stringify(said(answer))))]).toHaveLength(1);
    expect([...new Set(answers.map(({ headers }) => headers.get("etag")))]).toHaveLength(1);
    expect(answers[0]?.status).toBe(route.route.endsWith("import") ? 200 : 201);
    expect(answers.filter((answer) => replayed(answer) === "true")).toHaveLength(TWINS - 1);
    expect(await keysOf(key)).toHaveLength(1);

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
    const answer = await poster(route, world, key)();
    expect(said(answer)).toEqual([422, wrapped("IDEMPOTENCY_KEY_REUSED")]);
  };
  expect(await effectOf(refuse)).toEqual({});
});

it.each(KEYED.filter(({ body }) => body))("$route is refused with another body under the same key", async (route) => {
  const world = await makeWorld(h);
  const key = newId("event");
  expect((await poster(route, world, key)()).status).toBeLessThan(300);
  const other = { ...route.body?.(world), ...different(route) };
  expect(said(await poster(route, world, key, other)())).toEqual([422, wrapped("IDEMPOTENCY_KEY_REUSED")]);
});

describe.each(ONCE)("$route", (route) => {
  it("happens once for fifty twins at once, and tells all but one that it is not shown again", async () => {
    await poster(route, await makeWorld(h))();
    const once = await effectOf(poster(route, await makeWorld(h)));
    const world = await makeWorld(h);
    const key = newId("event");
    let answers: Answer[] = [];
    const post = poster(route, world, key);
    expect(await effectOf(async () => (answers = await all(TWINS, post)))).toEqual(once);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 201);
    expect([...new Set(others.map((answer) => JSON.stringify(said(answer))))]).toHaveLength(1);
    expect(said(others[0] as Answer)).toEqual([409, wrapped("CONFLICT")]);
    expect(others.map(replayed).filter((value) => value !== null)).toEqual([]);
    expect(await keysOf(key)).toMatchObject([{ answer: null }]);
  });
});

const find = (name: Route["route"]) => ROUTES.find(({ route }) => route === name) as Route;
const keyed = (key: string) => ({ "idempotency-key": key });
const named = () => ({ name: newId("event") });

describe("a key", () => {
  it.each(["a b", "ä", "x".repeat(256), "a\tb"])("must be 1 to 255 visible ASCII characters: %j", async (key) => {
    const world = await makeWorld(h);
    const answer = await poster(find("POST /api/site"), world, key)();
    expect(said(answer)).toEqual(invalid("Idempotency-Key: must be 1 to 255 visible ASCII characters"));
  });

  it("of 255 characters of every kind is one", async () => {
    const key = Array.from({ length: 255 }, (_, i) => String.fromCodePoint(33 + (i % 94))).join("");
    const post = poster(find("POST /api/site"), await makeWorld(h), key);
    expect([(await post()).status, replayed(await post())]).toEqual([201, "true"]);
  });

  it("stands for one method, path and body of a principal, by whichever of its tokens of equal rights", async () => {
    const { publisher, platform } = await makeWorld(h);
    const key = newId("event");
    const reused = [422, wrapped("IDEMPOTENCY_KEY_REUSED")];
    const tokens = `/api/v1/publishers/${publisher.id}/api-tokens`;
    const body = named();
    const call = { token: publisher.privateKey, body, headers: keyed(key) };
    const first = await api(h, "POST", tokens, call);
    const { bearer } = dataOf<{ bearer: string }>(first);
    const byOther = await api(h, "POST", tokens, { ...call, token: bearer });
    expect([said(byOther), replayed(byOther)]).toEqual([said(first), "true"]);
    expect(said(await api(h, "POST", tokens, { ...call, body: named() }))).toEqual(reused);
    expect(said(await api(h, "POST", "/api/site", call))).toEqual(reused);
    expect(said(await api(h, "POST", `/api/site?a=1`, { ...call }))).toEqual(reused);
    const byPlatform = await api(h, "POST", tokens, { ...call, token: platform.token });
    expect([byPlatform.status, replayed(byPlatform)]).toEqual([201, null]);
    const byAdmin = await api(h, "POST", tokens, { ...call, token: SECRETS.ADMIN_TOKEN });
    expect([byAdmin.status, replayed(byAdmin)]).toEqual([201, null]);
    const other = await makePublisher(h.db);
    const byStranger = await api(h, "POST", tokens, { ...call, token: other.privateKey });
    expect(said(byStranger)).toEqual([403, wrapped("FORBIDDEN")]);
    expect((await keysOf(key)).map((row) => (row as { principal: string }).principal).toSorted()).toEqual([
      "admin:",
      `platform:${platform.id}`,
      `publisher:${publisher.id}:revenue`,
    ]);
  });

  it.each([
    ["a token that sees less", { revenueAccess: false }],
    ["a token that sees more", { grossAccess: true }],
  ])("tells %s nothing of another's answer", async (_, rights) => {
    const { publisher, platform } = await makeWorld(h);
    const tokens = `/api/v1/publishers/${publisher.id}/api-tokens`;
    const made = { token: platform.token, body: { ...named(), ...rights } };
    const { bearer } = dataOf<{ bearer: string }>(await api(h, "POST", tokens, made));
    for (const path of [tokens, "/api/site"]) {
      const call = { body: named(), headers: keyed(newId("event")) };
      const first = await api(h, "POST", path, { ...call, token: publisher.privateKey });
      expect(first.status).toBe(201);
      const other = await api(h, "POST", path, { ...call, token: bearer });
      expect(replayed(other)).toBeNull();
      expect(JSON.stringify(other.json)).not.toContain(dataOf<{ bearer?: string }>(first).bearer ?? "lan_sk_");
      for (const token of [publisher.privateKey, bearer]) {
        expect(replayed(await api(h, "POST", path, { ...call, token }))).toBe("true");
      }
      expect(said(await api(h, "POST", path, { ...call, token: publisher.privateKey }))).toEqual(said(first));
    }
  });

  it("keeps no secret that could be read", async () => {
    const world = await makeWorld(h);
    for (const name of ["POST /api/v1/publishers", "POST /api/v1/advertisers"] as const) {
      const key = newId("event");
      const { json } = await poster(find(name), world, key)();
      const secret = /lan_(?:sk|cs)_\w+/.exec(JSON.stringify(json))?.[0] ?? "";
      expect(secret).not.toBe("");
      const [kept] = (await keysOf(key)) as { answer: string }[];
      expect(kept?.answer).toContain("v2.");
      expect(kept?.answer).not.toContain(secret);
    }
  });

  it.each([
    "POST /api/v1/publishers",
    "POST /api/v1/publishers/:publisher/api-tokens",
    "POST /api/v1/advertisers",
  ] as const)("whose secret nothing opens any more says that it is shown once: %s", async (name) => {
    const key = newId("event");
    const post = poster(find(name), await makeWorld(h), key);
    expect((await post()).status).toBe(201);
    await h.rows("update idempotency_keys set answer = replace(answer::text, 'v2.', 'v1.')::json where key = $1", [
      key,
    ]);
    expect(said(await post())).toEqual([409, wrapped("CONFLICT")]);
  });

  it("of a dry run is not taken", async () => {
    const { publisher } = await makeWorld(h);
    const key = newId("event");
    const call = { token: publisher.privateKey, body: named(), headers: keyed(key) };
    expect((await api(h, "POST", "/api/site?dryRun=true", call)).status).toBe(201);
    expect(await keysOf(key)).toEqual([]);
    expect(replayed(await api(h, "POST", "/api/site", call))).toBeNull();
  });

  it("is forgotten after a day", async () => {
    const key = newId("event");
    const post = poster(find("POST /api/site"), await makeWorld(h), key);
    await post();
    await h.rows("update idempotency_keys set created_at = now() - interval '23 hours' where key = $1", [key]);
    await runCron(h);
    expect(await keysOf(key)).toHaveLength(1);
    await h.rows("update idempotency_keys set created_at = now() - interval '25 hours' where key = $1", [key]);
    await runCron(h);
    expect(await keysOf(key)).toEqual([]);
    // The site is there by now, so that the contract's own rule answers it.
    const again = await post();
    expect([again.status, replayed(again)]).toEqual([200, null]);
  });

  it("changes nothing where nothing changes", async () => {
    const world = await makeWorld(h);
    for (const route of POSTS.filter(isUnchanging)) {
      const key = newId("event");
      const post = poster(route, world, key);
      for (const answer of [await post(), await post()]) expect([answer.status, replayed(answer)]).toEqual([200, null]);
      expect(await keysOf(key)).toEqual([]);
    }
  });
});

describe("what was refused leaves no key, and may be sent again with another body:", () => {
  type Refused = [what: string, status: number, route: Route["route"], wrong: (world: World) => unknown];
  const unit = { name: "Unit", pageType: "ORDER_PAGE" };
  const offer = { name: "Offer", title: "T", header: "H", description: "D", ctaText: "Y", declineButtonText: "N" };
  const whole = { ...offer, pricing: "CPC", bidMicros: 1, destinationUrl: "https://advertiser.example/" };
  const CASES: Refused[] = [
    ["a taken name", 409, "POST /api/v1/platforms", ({ platform }) => ({ name: platform.name })],
    [
      "a taken name",
      409,
      "POST /api/v1/publishers",
      ({ publisher: { name } }) => ({ name, contactName: "A", contactEmail: "a@b.example" }),
    ],
    ["an unknown category", 400, "POST /api/site", () => ({ ...named(), categoryName: "Nothing" })],
    ["an unknown site", 404, "POST /api/placements", () => ({ ...unit, siteId: newId("site") })],
    ["a taken name", 409, "POST /api/v1/advertisers", ({ advertiser: { name } }) => ({ name })],
    ["a stranger", 404, "POST /api/v1/offers", () => ({ ...whole, advertiserId: newId("advertiser") })],
    ["an invalid body", 400, "POST /api/v1/offers", () => ({})],
    [
      "a contradiction",
      400,
      "POST /api/v1/offers",
      ({ advertiser: { id } }) => ({ ...whole, advertiserId: id, pricing: "CPM" }),
    ],
  ];

  it.each(CASES)("%s, %i of %s", async (_, status, name, wrong) => {
    const world = await makeWorld(h);
    const route = find(name);
    const key = newId("event");
    expect((await poster(route, world, key, wrong(world))()).status).toBe(status);
    expect(await keysOf(key)).toEqual([]);
    const right = await poster(route, world, key)();
    expect([right.status, replayed(right)]).toEqual([201, null]);
  });

  it("a token, a key and a creative too many", async () => {
    const world = await makeWorld(h);
    await h.rows(
      `insert into api_tokens (id, publisher_id, name, hash, bearer_ciphertext, revenue_access, gross_access)
       select 'tok_' || $1 || n, $1, 'Many', $1 || n, '', true, false from generate_series(1, 50) n`,
      [world.publisher.id],
    );
    await h.rows("insert into public_keys (key, publisher_id) select $1 || n, $1 from generate_series(1, 20) n", [
      world.publisher.id,
    ]);
    await makeCreative(h.db, world.offer.id);
    await makeCreative(h.db, world.offer.id);
    const routes = [
      "POST /api/v1/publishers/:publisher/api-tokens",
      "POST /api/v1/publishers/:publisher/public-keys",
      "POST /api/v1/offers/:offer/creatives",
    ] as const;
    for (const name of routes) {
      const key = newId("event");
      expect((await poster(find(name), world, key)()).status).toBe(409);
      expect(await keysOf(key)).toEqual([]);
    }
  });
});

const creative = (n: number) => ({
  name: `Creative ${n}`,
  title: "T",
  header: "H",
  description: "D",
  ctaText: "Y",
  declineButtonText: "N",
  destinationUrl: "https://advertiser.example/",
});

describe("the first answer is given again, whatever became of things since:", () => {
  it("of a publisher's site that was renamed, and deleted", async () => {
    const { publisher } = await makeWorld(h);
    const { privateKey: token } = publisher;
    const call = { token, body: { ...named(), categoryName: "B2B > CRM" }, headers: keyed(newId("event")) };
    const first = await api(h, "POST", "/api/site", call);
    const { id } = dataOf<{ id: string }>(first);
    await api(h, "PUT", `/api/site/${id}`, { token, body: named() });
    expect(said(await api(h, "POST", "/api/site", call))).toEqual(said(first));
    await api(h, "DELETE", `/api/site/${id}`, { token });
    expect(said(await api(h, "POST", "/api/site", call))).toEqual(said(first));
  });

  it("of an offer whose advertiser is archived, and whose named site is gone", async () => {
    const world = await makeWorld(h);
    const { token } = world.platform;
    const route = find("POST /api/v1/offers");
    const body = { ...route.body?.(world), targeting: { includeSites: [world.site.id] } };
    const post = poster(route, world, newId("event"), body);
    const first = await post();
    expect(first.status).toBe(201);
    await api(h, "DELETE", `/api/v1/advertisers/${world.advertiser.id}`, { token });
    await api(h, "DELETE", `/api/site/${world.site.id}`, { token: world.publisher.privateKey });
    expect(said(await post())).toEqual(said(first));
  });

  it("of an import that filled an offer's room for creatives, refused rows included", async () => {
    const world = await makeWorld(h);
    const { offer: made } = world;
    const body = [
      { id: made.id, creatives: [creative(1), creative(2)] },
      { id: newId("offer"), bidMicros: 1 },
    ];
    const post = poster(find("POST /api/v1/offers/import"), world, newId("event"), body);
    const first = await post();
    expect(first.json).toMatchObject({ data: { updated: 1, refused: 1 } });
    const second = await post();
    expect([said(second), replayed(second)]).toEqual([said(first), "true"]);
    expect(await h.count("offer_creatives where offer_id = $1", [made.id])).toBe(3);
  });

  it("of messages to try again: a retry that names none takes no others", async () => {
    const { publisher } = await makeWorld(h);
    const reject = (id: string) =>
      h.rows("insert into tracking_rejects (id, reason, body, publisher_id) values ($1, 'Because', '{}', $2)", [
        id,
        publisher.id,
      ]);
    const [one, two] = [newId("event"), newId("event")];
    await reject(one);
    const call = { token: publisher.privateKey, body: {}, headers: keyed(newId("event")) };
    const replay = () => api(h, "POST", "/api/v1/rejects/replay", call);
    const first = await replay();
    expect(dataOf(first)).toEqual({ ids: [one] });
    await reject(two);
    const second = await replay();
    expect([said(second), replayed(second)]).toEqual([said(first), "true"]);
    const other = await api(h, "POST", "/api/v1/rejects/replay", { ...call, body: { ids: [two] } });
    expect(said(other)).toEqual([422, wrapped("IDEMPOTENCY_KEY_REUSED")]);
    const wrong = { ...call, body: { ids: [newId("event")] }, headers: keyed(newId("event")) };
    expect((await api(h, "POST", "/api/v1/rejects/replay", wrong)).status).toBe(404);
    expect(await keysOf(wrong.headers["idempotency-key"])).toEqual([]);
  });
});
