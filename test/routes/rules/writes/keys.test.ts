import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { api, dataOf, invalid, said, wrapped } from "../../../support/api.ts";
import { makePublisher } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { addressOf, makeWorld, tokenOf } from "../../../support/routes/every-route.ts";
import { isUnchanging, keyed, keysOf, named, poster, POSTS, replayed, routeOf } from "../../../support/routes/keyed.ts";
import { SECRETS } from "../../../support/secrets.ts";

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

describe("a key", () => {
  it.each(["a b", "ä", "x".repeat(256), "a\tb"])("must be 1 to 255 visible ASCII characters: %j", async (key) => {
    const world = await makeWorld(h);
    const answer = await poster(h, routeOf("POST /api/site"), world, key)();
    expect(said(answer)).toEqual(invalid("Idempotency-Key: must be 1 to 255 visible ASCII characters"));
  });

  it.each(POSTS.filter((route) => !isUnchanging(route)).map((route) => [route.route, route] as const))(
    "that is malformed is told before what is not there: %s",
    async (_, route) => {
      const world = await makeWorld(h);
      const { method, path } = addressOf(route, world);
      const unknown = path.replaceAll(/(?<=\/)(?:[a-z]+_\w{20,}|lan_pk_\w+)/g, "unknown");
      const call = { token: tokenOf(route, world), body: route.body?.(world), headers: keyed("a b") };
      expect(said(await api(h, method, unknown, call))).toEqual(
        invalid("Idempotency-Key: must be 1 to 255 visible ASCII characters"),
      );
    },
  );

  it("of 255 characters of every kind is one", async () => {
    const key = Array.from({ length: 255 }, (_, i) => String.fromCodePoint(33 + (i % 94))).join("");
    const post = poster(h, routeOf("POST /api/site"), await makeWorld(h), key);
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
    expect((await keysOf(h, key)).map((row) => (row as { principal: string }).principal).toSorted()).toEqual([
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
      const { json } = await poster(h, routeOf(name), world, key)();
      const secret = /lan_(?:sk|cs)_\w+/.exec(JSON.stringify(json))?.[0] ?? "";
      expect(secret).not.toBe("");
      const [kept] = (await keysOf(h, key)) as { answer: string }[];
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
    const post = poster(h, routeOf(name), await makeWorld(h), key);
    expect((await post()).status).toBe(201);
    await h.rows("update idempotency_keys set answer = replace(answer::text, 'v2.', 'v1.')::json where key = $1", [
      key,
    ]);
    const again = await post();
    expect([said(again), replayed(again)]).toEqual([[409, wrapped("CONFLICT")], null]);
  });

  it("of a dry run is not taken", async () => {
    const { publisher } = await makeWorld(h);
    const key = newId("event");
    const call = { token: publisher.privateKey, body: named(), headers: keyed(key) };
    expect((await api(h, "POST", "/api/site?dryRun=true", call)).status).toBe(201);
    expect(await keysOf(h, key)).toEqual([]);
    expect(replayed(await api(h, "POST", "/api/site", call))).toBeNull();
  });

  it("is forgotten after a day", async () => {
    const key = newId("event");
    const post = poster(h, routeOf("POST /api/site"), await makeWorld(h), key);
    await post();
    await h.rows("update idempotency_keys set created_at = now() - interval '23 hours' where key = $1", [key]);
    await h.cron();
    expect(await keysOf(h, key)).toHaveLength(1);
    await h.rows("update idempotency_keys set created_at = now() - interval '25 hours' where key = $1", [key]);
    await h.cron();
    expect(await keysOf(h, key)).toEqual([]);
    // The site is there by now, so that the contract's own rule answers it.
    const again = await post();
    expect([again.status, replayed(again)]).toEqual([200, null]);
  });

  it("changes nothing where nothing changes", async () => {
    const world = await makeWorld(h);
    for (const route of POSTS.filter(isUnchanging)) {
      const key = newId("event");
      const post = poster(h, route, world, key);
      for (const answer of [await post(), await post()]) expect([answer.status, replayed(answer)]).toEqual([200, null]);
      expect(await keysOf(h, key)).toEqual([]);
    }
  });
});
