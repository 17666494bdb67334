import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../db/core/ids.ts";
import { clientOf } from "../support/client.ts";
import { makeInventory } from "../support/factories.ts";
import type { Fate } from "../support/faults/lossy-proxy.ts";
import { sharedHarness, type Harness } from "../support/harness.ts";
import { failure, startLossyClient, wrappedError, type LossyClient } from "../support/lossy-client.ts";
import { SECRETS } from "../support/secrets.ts";

let h: Harness;
let lossy: LossyClient;
let proxy: LossyClient["proxy"];
let client: LossyClient["client"];

beforeAll(async () => {
  h = await sharedHarness();
  lossy = await startLossyClient(h);
  ({ proxy, client } = lossy);
});
afterAll(() => lossy.proxy.close());
beforeEach(() => lossy.forget());

const busy: Fate = {
  status: 429,
  headers: { "retry-after": "7", "x-request-id": "busy-1" },
  body: wrappedError("RATE_LIMIT_EXCEEDED", { retryAfter: 7 }),
};
const away: Fate = { status: 503, headers: { "retry-after": "2" }, body: wrappedError("SERVICE_UNAVAILABLE") };
const failed: Fate = { status: 500, body: wrappedError("INTERNAL_SERVER_ERROR") };

describe("retries", () => {
  it("of what reads wait as long as the service says, and not for the same time as others", async () => {
    const { publisher, site } = await makeInventory(h.db);
    const call = await client(publisher.privateKey);
    proxy.fates.push(away, busy);
    expect((await call("getSite", site.id)).data).toMatchObject({ id: site.id });
    expect(proxy.seen).toHaveLength(3);
    expect(
      [2_000, 7_000].map((least, i) => (lossy.waits[i] ?? 0) >= least && (lossy.waits[i] ?? 0) < least + 1_000),
    ).toEqual([true, true]);
  });

  it("wait longer each time where the service says nothing", async () => {
    const { publisher, site } = await makeInventory(h.db);
    const call = await client(publisher.privateKey);
    proxy.fates.push(failed, "lose", failed, failed);
    expect((await call("getSite", site.id, { retries: 4 })).status).toBe(200);
    expect(lossy.waits.map((ms, i) => ms >= 250 * 2 ** i && ms < 500 * 2 ** i)).toEqual([true, true, true, true]);
  });

  it("end with what the last attempt was answered", async () => {
    const { publisher, site } = await makeInventory(h.db);
    const call = await client(publisher.privateKey);
    proxy.fates.push(busy, busy, busy);
    expect(await failure(call("getSite", site.id))).toMatchObject({
      code: "RATE_LIMIT_EXCEEDED",
      status: 429,
      requestId: "busy-1",
      retryAfter: 7,
      details: { retryAfter: 7 },
      message: "Later",
    });
    expect(proxy.seen).toHaveLength(3);
  });

  it("are not made where the service asks for more than a minute", async () => {
    const { publisher, site } = await makeInventory(h.db);
    const call = await client(publisher.privateKey);
    proxy.fates.push({ ...away, headers: { "retry-after": "61" } });
    expect(await failure(call("getSite", site.id))).toMatchObject({ code: "SERVICE_UNAVAILABLE", retryAfter: 61 });
    expect(proxy.seen).toHaveLength(1);
  });

  it("are not made where the service asks for more than the client waits", async () => {
    const { publisher, site } = await makeInventory(h.db);
    const call = await client(publisher.privateKey, { longestWaitMs: 5_000 });
    proxy.fates.push(busy);
    expect(await failure(call("getSite", site.id))).toMatchObject({ code: "RATE_LIMIT_EXCEEDED", retryAfter: 7 });
    proxy.fates.push(away);
    expect((await call("getSite", site.id)).status).toBe(200);
    expect(proxy.seen).toHaveLength(3);
  });

  it("of a change are made where it was refused for its number, and not where it may have been done", async () => {
    const { publisher, site } = await makeInventory(h.db);
    const call = await client(publisher.privateKey);
    proxy.fates.push(busy);
    await call("updateSite", site.id, { orderVolume: 5 });
    expect(proxy.seen).toHaveLength(2);
    for (const fate of [away, failed, "lose"] as const) {
      proxy.seen.length = 0;
      proxy.fates.push(fate);
      expect(await failure(call("updateSite", site.id, { orderVolume: 6 }))).toMatchObject({ name: "LanyapError" });
      expect(proxy.seen).toHaveLength(1);
    }
  });

  it("of a dry run are made, since it does nothing twice", async () => {
    const { publisher, site } = await makeInventory(h.db);
    const call = await client(publisher.privateKey);
    proxy.fates.push("lose");
    const answer = await call("updateSite", site.id, { orderVolume: 6 }, { dryRun: true });
    expect([answer.headers.get("lanyap-dry-run"), proxy.seen.length]).toEqual(["true", 2]);
    expect(await h.rows("select order_volume from sites where id = $1", [site.id])).toEqual([{ order_volume: null }]);
  });

  it("of offers are not made: the customer waits", async () => {
    const { publisher, placement } = await makeInventory(h.db);
    const call = await client(publisher.publicKey);
    proxy.fates.push(failed);
    const asked = { placementId: placement.id, sessionId: "s-1", at: { orderid: "1" } };
    expect(await failure(call("getOffers", asked))).toMatchObject({ code: "INTERNAL_SERVER_ERROR" });
    expect(proxy.seen).toHaveLength(1);
    expect((await call("getOffers", asked)).data["offers"]).toHaveLength(4);
  });
});

/** Lists the idempotency keys that were sent. */
const keysOf = () => proxy.seen.map(({ headers }) => headers["idempotency-key"]);

describe("idempotency keys", () => {
  it("are the same for each attempt: what was made before its answer was lost is not made again", async () => {
    const { publisher, site } = await makeInventory(h.db);
    const call = await client(publisher.privateKey);
    proxy.fates.push(away, "lose");
    const body = { siteId: site.id, name: "Once", pageType: "THANK_YOU_PAGE" };
    const made = await call("createPlacement", body);
    expect([made.status, made.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    const [first, second, third, ...others] = keysOf();
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect([second, third, others]).toEqual([first, first, []]);
    const stored = "placements where site_id = $1 and name = 'Once'";
    expect(await h.rows(`select id from ${stored}`, [site.id])).toEqual([{ id: made.data["id"] }]);
    // Another call makes another one.
    await call("createPlacement", body);
    expect(keysOf()[3]).not.toBe(first);
    expect(await h.count(stored, [site.id])).toBe(2);
  });

  it("may be the caller's own, for one request alone", async () => {
    const { publisher, site } = await makeInventory(h.db);
    const call = await client(publisher.privateKey);
    const body = { siteId: site.id, name: "Own", pageType: "THANK_YOU_PAGE" };
    const [one, two] = [
      await call("createPlacement", body, { idempotencyKey: "own-1" }),
      await call("createPlacement", body, { idempotencyKey: "own-1" }),
    ];
    expect(two.data).toEqual(one.data);
    expect(
      await failure(call("createPlacement", { ...body, name: "Other" }, { idempotencyKey: "own-1" })),
    ).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED", status: 422 });
  });

  it("do not show a secret again", async () => {
    const call = await client(SECRETS.ADMIN_TOKEN);
    proxy.fates.push("lose");
    const name = newId("platform");
    expect(await failure(call("createPlatform", { name }))).toMatchObject({ code: "CONFLICT", status: 409 });
    expect(await h.count("platforms where name = $1", [name])).toBe(1);
  });

  it("are not sent with a dry run", async () => {
    const { publisher } = await makeInventory(h.db);
    const call = await client(publisher.privateKey);
    proxy.fates.push("lose");
    await call("createSite", { name: "Dry" }, { dryRun: true });
    expect(keysOf()).toEqual([undefined, undefined]);
    expect(await h.rows("select id from sites where name = 'Dry' and publisher_id = $1", [publisher.id])).toEqual([]);
  });
});

describe("time limits", () => {
  it("end an attempt that is not answered", async () => {
    const { publisher, site } = await makeInventory(h.db);
    const call = await client(publisher.privateKey);
    proxy.fates.push("hang");
    expect(await failure(call("getSite", site.id, { timeoutMs: 50, retries: 0 }))).toMatchObject({
      code: "TIMEOUT",
      status: 0,
      requestId: null,
    });
  });

  it("of a caller end the call with the caller's reason, also while it waits", async () => {
    const { publisher, site } = await makeInventory(h.db);
    const call = await clientOf({ url: proxy.url, token: publisher.privateKey });
    for (const fate of ["hang", busy] as const) {
      proxy.seen.length = 0;
      proxy.fates.push(fate);
      const over = new AbortController();
      const failing = failure(call("getSite", site.id, { signal: over.signal }));
      await h.until(
        () => Promise.resolve(proxy.seen.length),
        (count) => count === 1,
      );
      over.abort("gone");
      expect(await failing).toBe("gone");
      expect(proxy.seen).toHaveLength(1);
    }
    expect(await failure(call("getSite", site.id, { signal: AbortSignal.abort("before") }))).toBe("before");
  });
});
