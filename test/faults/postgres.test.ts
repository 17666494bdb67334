import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { api, wrapped } from "../support/api.ts";
import { makePlacement } from "../support/factories.ts";
import { expectExactCounts, makeHit, message } from "../support/tracking/hits.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { SECRETS } from "../support/secrets.ts";
import { FAULTS, startSqlProxy, type SqlProxy } from "../support/faults/proxy.ts";
import { ask, makeSeen, makeSituation } from "../support/faults/situation.ts";

let proxy: SqlProxy;
let h: Harness;

beforeAll(async () => {
  proxy = await startSqlProxy();
  h = await startHarness({ databaseUrl: proxy.url });
  proxy.target = h.endpoint.port;
});
afterEach(() => proxy.set("none"));
afterAll(async () => {
  await h.close();
  await proxy.close();
});

/** What the log said since. */
const logSince = (from: number) => h.logs().slice(from).join("\n");
const SECRET = /hunter2|select secret|<html>|10\.0\.0\.7|127\.0\.0\.1|neon|postgres|fetch/i;

/** Slow is no failure: what comes late but in time is served. */
const FAILURES = FAULTS.filter((fault) => fault !== "slow");

/** Faults of which Postgres itself knows nothing: it did what it was asked. */
const DONE = new Set<string>(["cut", "garble"]);

const shift = (interval: string) => (body: string) =>
  body
    .replaceAll("statement_timestamp()", `(statement_timestamp() + interval '${interval}')`)
    .replaceAll("max(changed_at)", `(max(changed_at) + interval '${interval}')`);

describe.each(FAILURES)("a Postgres that does this: %s", (fault) => {
  it("stops nobody's offers and no event, and management until it is back", async () => {
    const { inventory, offer, seen } = await makeSituation(h);
    const { publisher, site } = inventory;
    const unseen = (await makePlacement(h.db, site.id)).id;
    const [token = ""] = (await ask(h, inventory, seen)).tokens;
    const track = async (path: string) => {
      const response = await h.fetch(`${path}?t=${token}`, { redirect: "manual" });
      return [response.status, response.headers.get("location")];
    };
    const serving = async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => ask(h, inventory, seen)));
      for (const { status, ids } of answers) expect([status, ids.includes(offer.id)]).toEqual([200, true]);
      expect(await track("/vdata")).toEqual([204, null]);
      expect(await track("/close")).toEqual([204, null]);
      expect(await track("/click")).toEqual([302, "https://advertiser.example/"]);
    };
    const refused = async () => {
      const { status, body } = await ask(h, inventory, unseen);
      expect([status, body]).toEqual([500, wrapped("INTERNAL_SERVER_ERROR")]);
      expect(JSON.stringify(body)).not.toMatch(SECRET);
      const checks = { postgres: "failed", kv: "ok" };
      const health = await api(h, "GET", "/health?deep=1");
      expect([health.status, health.json]).toMatchObject([503, { status: "failed", checks, outboxAgeSeconds: null }]);
    };
    const managing = async () => {
      const own = { token: publisher.privateKey };
      const answers = await Promise.all([
        api(h, "GET", "/api/site", own),
        api(h, "POST", "/api/site", { ...own, body: { name: "Never" } }),
        api(h, "GET", `/api/v1/offers/${offer.id}`, { token: SECRETS.ADMIN_TOKEN }),
        // The administrator's credential needs no look-up, so that what is refused here may have been done.
        api(h, "PATCH", `/api/v1/offers/${offer.id}/status`, {
          token: SECRETS.ADMIN_TOKEN,
          body: { status: "paused" },
        }),
      ]);
      for (const { status, headers, json } of answers) {
        expect([status, json]).toEqual([503, wrapped("SERVICE_UNAVAILABLE")]);
        expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
        expect(JSON.stringify(json)).not.toMatch(SECRET);
      }
    };
    const hits = Array.from({ length: 20 }, () => message(makeHit({ offerId: offer.id })));
    const counting = async () =>
      expect(await h.deliver(hits)).toMatchObject({ ackAll: false, retryBatch: { retry: true } });

    const from = h.logs().length;
    await proxy.set(fault);
    await Promise.all([serving(), refused(), managing(), counting()]);
    await proxy.set("none");
    expect(logSince(from)).toContain("documents were not built");
    expect(logSince(from)).toContain("GET /api/site failed");
    expect(logSince(from)).toContain("20 events come again");
    expect(logSince(from)).not.toMatch(/hunter2|lan_sk_/);

    expect(await h.deliver(hits)).toMatchObject({ ackAll: true });
    const ids = hits.map(({ body }) => body.hit.id);
    expect(await h.count("events where id = any ($1)", [ids])).toBe(20);
    expect((await api(h, "GET", "/api/site", { token: publisher.privateKey })).status).toBe(200);
    // A change that was made although nobody was told is published by the cron.
    await h.cron();
    for (const id of [seen, unseen]) {
      // An answer may be of what memory has, where it has to wait too long for what was published.
      await h.until(
        async () => (await ask(h, inventory, id)).ids.includes(offer.id),
        (shown) => shown !== DONE.has(fault),
      );
    }
    expect(await h.rows("select * from publish_outbox")).toEqual([]);
  });
});

describe("a Postgres that is slow, but in time", () => {
  it("serves everybody", async () => {
    const { inventory, offer } = await makeSituation(h);
    const unseen = (await makePlacement(h.db, inventory.site.id)).id;
    await proxy.set("slow");
    const [cold, managed] = await Promise.all([
      ask(h, inventory, unseen),
      api(h, "GET", "/api/site", { token: inventory.publisher.privateKey }),
    ]);
    expect([cold.status, cold.ids.includes(offer.id), managed.status]).toEqual([200, true, 200]);
  });
});

describe("a Postgres whose clock is another", () => {
  afterEach(() => {
    proxy.rewrite = (body) => body;
  });

  it.each(["10 minutes", "-10 minutes"])(
    "by %s serves, stops offers at once, and is told of in the log",
    async (by) => {
      proxy.rewrite = shift(by);
      await h.rows("insert into publish_outbox (document_key) values ('network')");
      await h.cron();
      const { inventory, offer } = await makeSituation(h);
      const from = h.logs().length;
      const seen = await makeSeen(h, inventory);
      const set = (status: string) =>
        api(h, "PATCH", `/api/v1/offers/${offer.id}/status`, { token: SECRETS.ADMIN_TOKEN, body: { status } });
      const isShown = async () => (await ask(h, inventory, seen)).ids.includes(offer.id);
      expect((await set("paused")).status).toBe(200);
      expect(await isShown()).toBe(false);
      expect((await set("active")).status).toBe(200);
      await h.until(isShown, (shown) => shown);
      expect(logSince(from)).toMatch(/this isolate's clock is -?\d+ ms ahead/);
    },
  );
});

describe("events", () => {
  it("of all that went before are stored once, and counted rightly", async () => {
    const closes = await h.until(
      () => h.count("events where kind = 'close'"),
      (found) => found >= FAILURES.length,
    );
    expect(closes).toBe(FAILURES.length);
    await expectExactCounts(h);
  });
});
