import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect } from "../../functions/client/runtime/connect.ts";
import { LanyapError } from "../../functions/client/runtime/error.ts";
import type { ClientOptions } from "../../functions/client/runtime/options.ts";
import { clientOf } from "../support/client.ts";
import { makeInventory, makePlacement } from "../support/factories.ts";
import { startLossyProxy, type Fate, type LossyProxy } from "../support/faults/lossy-proxy.ts";
import { sharedHarness, type Harness } from "../support/harness.ts";

let h: Harness;
let proxy: LossyProxy;
let waits: number[] = [];

beforeAll(async () => {
  h = await sharedHarness();
  proxy = await startLossyProxy(h.url);
});
afterAll(() => proxy.close());
beforeEach(() => {
  waits = [];
  proxy.seen.length = 0;
  proxy.fates.length = 0;
});

/** Makes a client behind the proxy, which notes its waits and does not wait. */
const client = (token: string, options: Partial<ClientOptions> = {}) =>
  clientOf({
    url: proxy.url,
    token,
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    ...options,
  });

/** Returns what a call fails with. */
const failure = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "no failure",
    (error: unknown) => error,
  );

const wrapped = (code: string, details?: unknown) => ({ success: false, error: { code, message: "Later", details } });
const busy: Fate = {
  status: 429,
  headers: { "retry-after": "7", "x-request-id": "busy-1" },
  body: wrapped("RATE_LIMIT_EXCEEDED", { retryAfter: 7 }),
};
const away: Fate = { status: 503, headers: { "retry-after": "2" }, body: wrapped("SERVICE_UNAVAILABLE") };
const failed: Fate = { status: 500, body: wrapped("INTERNAL_SERVER_ERROR") };

describe("retries", () => {
  it("of what reads wait as long as the service says, and not for the same time as others", async () => {
    const { publisher, site } = await makeInventory(h.db);
    const call = await client(publisher.privateKey);
    proxy.fates.push(away, busy);
    expect((await call("getSite", site.id)).data).toMatchObject({ id: site.id });
    expect(proxy.seen).toHaveLength(3);
    expect([2_000, 7_000].map((least, i) => (waits[i] ?? 0) >= least && (waits[i] ?? 0) < least + 1_000)).toEqual([
      true,
      true,
    ]);
  });

  it("wait longer each time where the service says nothing", async () => {
    const { publisher, site } = await makeInventory(h.db);
    const call = await client(publisher.privateKey);
    proxy.fates.push(failed, "lose", failed, failed);
    expect((await call("getSite", site.id, { retries: 4 })).status).toBe(200);
    expect(waits.map((ms, i) => ms >= 250 * 2 ** i && ms < 500 * 2 ** i)).toEqual([true, true, true, true]);
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
  const keyed = { createPlacement: { route: "POST /api/placements", body: true, keyed: true } } as const;
  type Keyed = { createPlacement: (body: object, options?: object) => Promise<unknown> };
  const body = { name: "Once", pageType: "THANK_YOU_PAGE", siteId: "" };

  it("are the same for each attempt of a call, and others for another call", async () => {
    const { createPlacement } = connect({ url: proxy.url, wait: () => Promise.resolve() }, keyed) as Keyed;
    proxy.fates.push(away, failed, away, away);
    await failure(createPlacement(body));
    await failure(createPlacement(body, { retries: 0 }));
    const [first, second, third, fourth] = keysOf();
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect([second, third]).toEqual([first, first]);
    expect(fourth).not.toBe(first);
  });

  it("may be the caller's own, and a dry run has none", async () => {
    const { createPlacement } = connect({ url: proxy.url }, keyed) as Keyed;
    proxy.fates.push(failed, failed);
    await failure(createPlacement(body, { idempotencyKey: "order-77", retries: 0 }));
    await failure(createPlacement(body, { dryRun: true, retries: 0 }));
    expect(keysOf()).toEqual(["order-77", undefined]);
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

describe("errors", () => {
  it("come with code, status, request id and details, in either shape", async () => {
    const { publisher } = await makeInventory(h.db);
    const call = await client(publisher.privateKey);
    expect(await failure(call("createSite", { name: "" }))).toMatchObject({
      name: "LanyapError",
      code: "VALIDATION_FAILED",
      status: 400,
      details: [expect.stringContaining("name: ")],
      requestId: expect.stringMatching(/^req_/) as string,
    });
    const other = await client("nobody");
    expect(await failure(other("listSites"))).toMatchObject({ code: "UNAUTHORIZED", status: 401, details: null });
  });

  it("tell what is no answer of the service", async () => {
    const { publisher, site } = await makeInventory(h.db);
    const call = await client(publisher.privateKey);
    const html = { headers: { "content-type": "text/html" }, body: "<h1>Sign in to this network</h1>" };
    proxy.fates.push({ status: 403, ...html }, { status: 200, ...html }, { status: 200, body: "{" });
    for (const status of [403, 200, 200]) {
      expect(await failure(call("getSite", site.id))).toMatchObject({ code: "UNEXPECTED_ANSWER", status });
    }
    const nowhere = await clientOf({ url: "http://127.0.0.1:9", retries: 0 });
    expect(await failure(nowhere("getHealth"))).toMatchObject({ code: "UNREACHABLE", status: 0 });
  });

  it("read a time in Retry-After", async () => {
    const { publisher, site } = await makeInventory(h.db);
    const call = await client(publisher.privateKey);
    proxy.fates.push({ ...away, headers: { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" } });
    expect(await failure(call("getSite", site.id, { retries: 0 }))).toMatchObject({ retryAfter: 0 });
  });

  it("keep ids from leading elsewhere", async () => {
    const { publisher } = await makeInventory(h.db);
    const call = await client(publisher.privateKey);
    for (const id of ["", ".", "..", undefined]) {
      expect(() => call("deleteCreative", "ofr_0", id)).toThrow(TypeError);
    }
    expect(proxy.seen).toEqual([]);
    await failure(call("getSite", "a/../b?c#d"));
    expect(proxy.seen[0]?.url).toBe("/api/site/a%2F..%2Fb%3Fc%23d");
  });
});

describe("lists", () => {
  it("are gone through over all their parts, each item once, though more is made meanwhile", async () => {
    const { publisher, site, placement } = await makeInventory(h.db);
    const made = [placement.id];
    for (let n = 0; n < 4; n += 1) made.push((await makePlacement(h.db, site.id)).id);
    const call = await client(publisher.privateKey);
    const found: unknown[] = [];
    for await (const { id } of call("listPlacements", { take: 2 })) {
      if (found.length === 1) await makePlacement(h.db, site.id);
      found.push(id);
    }
    expect(found).toEqual(made.toReversed());
    expect(proxy.seen.map(({ url }) => url)).toEqual([
      "/api/placements?take=2",
      "/api/placements?take=2&skip=2",
      "/api/placements?take=2&skip=4",
    ]);
  });

  it("ask for no more than is wanted, and fail where a part fails", async () => {
    const { publisher, site } = await makeInventory(h.db);
    for (let n = 0; n < 2; n += 1) await makePlacement(h.db, site.id);
    const call = await client(publisher.privateKey);
    for await (const { id } of call("listPlacements", { take: 1 })) if (id) break;
    expect(proxy.seen).toHaveLength(1);
    const all = call("listPlacements", { take: 1, retries: 0 });
    expect((await all).data).toHaveLength(1);
    proxy.fates.push(failed);
    const going = async () => {
      for await (const { id } of all) if (!id) break;
    };
    expect(await failure(going())).toMatchObject({ code: "INTERNAL_SERVER_ERROR" });
  });
});

it("asks for a credential at each attempt", async () => {
  const { publisher, site } = await makeInventory(h.db);
  const tokens = ["old", publisher.privateKey];
  const call = await client("", { token: () => Promise.resolve(tokens.shift() ?? null) });
  proxy.fates.push(away);
  expect((await call("getSite", site.id)).status).toBe(200);
  expect(proxy.seen.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer old",
    `Bearer ${publisher.privateKey}`,
  ]);
});

it("gives errors a class of their own", () => {
  expect(new LanyapError("TIMEOUT", "Late")).toBeInstanceOf(Error);
});
