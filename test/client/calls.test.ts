import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { clientOf } from "../support/client.ts";
import { makeInventory, makePlacement } from "../support/factories.ts";
import { sharedHarness, type Harness } from "../support/harness.ts";
import { failure, startLossyClient, wrappedError, type LossyClient } from "../support/lossy-client.ts";
import { makeReport, makeReporter, reported } from "../support/tracking/conversions.ts";

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
    proxy.fates.push({
      status: 503,
      body: wrappedError("SERVICE_UNAVAILABLE"),
      headers: { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" },
    });
    expect(await failure(call("getSite", site.id, { retries: 0 }))).toMatchObject({ retryAfter: 0 });
  });

  it("keep ids from leading elsewhere", async () => {
    const { publisher } = await makeInventory(h.db);
    const call = await client(publisher.privateKey);
    for (const id of ["", ".", "..", undefined]) {
      expect(await failure(call("deleteCreative", "ofr_0", id))).toBeInstanceOf(TypeError);
    }
    expect(await failure(call("listCreatives", ".."))).toBeInstanceOf(TypeError);
    expect(proxy.seen).toEqual([]);
    await failure(call("getSite", "a/../b?c#d"));
    expect(proxy.seen[0]?.url).toBe("/api/site/a%2F..%2Fb%3Fc%23d");
  });
});

it("sends a parameter that may come several times once for each", async () => {
  const { publisher } = await makeInventory(h.db);
  const call = await client(publisher.privateKey);
  const day = new Date().toISOString().slice(0, 10).replaceAll("-", "");
  const days = { dateStart: day, dateEnd: day };
  expect((await call("getReport", { ...days, reportType: "OFFER", groupBy: ["SITE", "COUNTRY"] })).status).toBe(200);
  expect(proxy.seen[0]?.url).toBe(
    `/api/report?dateStart=${day}&dateEnd=${day}&reportType=OFFER&groupBy=SITE&groupBy=COUNTRY`,
  );
});

describe("lists", () => {
  it("are gone through over all their parts, each item once, though more is made meanwhile", async () => {
    const { publisher, site, placement } = await makeInventory(h.db);
    const made = [placement.id];
    // Said, since several may be made in a millisecond, which have no order of time.
    const makeLater = (seconds: number) =>
      makePlacement(h.db, site.id, { createdAt: new Date(Date.now() + 1_000 * seconds) });
    for (let n = 1; n < 5; n += 1) made.push((await makeLater(n)).id);
    const call = await client(publisher.privateKey);
    const found: unknown[] = [];
    for await (const { id } of call("listPlacements", { take: 2 })) {
      if (found.length === 1) await makeLater(60);
      found.push(id);
    }
    expect(found).toEqual(made.toReversed());
    expect(proxy.seen.map(({ url }) => url)).toEqual([
      "/api/placements?take=2",
      "/api/placements?take=2&skip=2",
      "/api/placements?take=2&skip=4",
    ]);
  });

  it("are gone through whole, though what was seen is deleted meanwhile", async () => {
    const { publisher, site, placement } = await makeInventory(h.db);
    const made = new Set<unknown>([placement.id]);
    for (let n = 0; n < 5; n += 1) made.add((await makePlacement(h.db, site.id)).id);
    const call = await client(publisher.privateKey);
    const found: unknown[] = [];
    for await (const { id } of call("listPlacements", { take: 2 })) {
      found.push(id);
      await call("deletePlacement", id);
    }
    expect(found).toHaveLength(made.size);
    expect(new Set(found)).toEqual(made);
  });

  it("of conversions have each transaction once, though more is reported meanwhile", async () => {
    const reporter = await makeReporter(h);
    const { id: offerId } = await reporter.offer();
    const report = async () => {
      const { fields } = makeReport(offerId);
      expect(await reporter.report(fields)).toEqual(reported("pending"));
      return fields.transactionId;
    };
    const made = [await report(), await report(), await report()];
    const call = await client(reporter.secret);
    const found: unknown[] = [];
    for await (const { transactionId } of call("listConversions", { take: 2 })) {
      if (found.length === 1) await report();
      found.push(transactionId);
    }
    expect(found).toHaveLength(3);
    expect(new Set(found)).toEqual(new Set(made));
  });

  it("ask for no more than is wanted, and fail where a part fails", async () => {
    const { publisher, site } = await makeInventory(h.db);
    for (let n = 0; n < 2; n += 1) await makePlacement(h.db, site.id);
    const call = await client(publisher.privateKey);
    for await (const { id } of call("listPlacements", { take: 1 })) if (id) break;
    expect(proxy.seen).toHaveLength(1);
    const all = call("listPlacements", { take: 1, retries: 0 });
    expect((await all).data).toHaveLength(1);
    proxy.fates.push({ status: 500, body: wrappedError("INTERNAL_SERVER_ERROR") });
    const going = async () => {
      for await (const { id } of all) if (!id) break;
    };
    expect(await failure(going())).toMatchObject({ code: "INTERNAL_SERVER_ERROR" });
  });
});

describe("a credential that was refused", () => {
  it("is renewed, and the call is made once more", async () => {
    const { publisher, site } = await makeInventory(h.db);
    let token = "ended";
    const refused: unknown[] = [];
    const call = await client("", {
      token: () => token,
      renew: (error) => {
        refused.push(error);
        token = publisher.privateKey;
        return Promise.resolve();
      },
    });
    expect((await call("getSite", site.id)).status).toBe(200);
    const body = { siteId: site.id, name: "Renewed", pageType: "THANK_YOU_PAGE" };
    token = "ended again";
    expect((await call("createPlacement", body)).status).toBe(201);
    expect(refused).toMatchObject([
      { code: "UNAUTHORIZED", status: 401 },
      { code: "UNAUTHORIZED", status: 401 },
    ]);
    expect(proxy.seen).toHaveLength(4);
  });

  it("ends the call where there is no other, or the other is refused, too", async () => {
    const { site } = await makeInventory(h.db);
    const none = await client("ended", { renew: () => Promise.reject(new Error("nobody is there")) });
    expect(await failure(none("getSite", site.id))).toMatchObject({ message: "nobody is there" });
    const other = await client("ended", { renew: () => Promise.resolve() });
    expect(await failure(other("getSite", site.id))).toMatchObject({ status: 401 });
    expect(proxy.seen).toHaveLength(3);
  });

  it("of a single call is not renewed", async () => {
    const { site } = await makeInventory(h.db);
    let renewed = 0;
    const call = await client("", {
      renew: () => {
        renewed += 1;
        return Promise.resolve();
      },
    });
    expect(await failure(call("getSite", site.id, { token: "ended" }))).toMatchObject({ status: 401 });
    expect([renewed, proxy.seen.length]).toEqual([0, 1]);
  });
});

it("asks for a credential at each attempt", async () => {
  const { publisher, site } = await makeInventory(h.db);
  const tokens = ["old", publisher.privateKey];
  const call = await client("", { token: () => Promise.resolve(tokens.shift() ?? null) });
  proxy.fates.push({ status: 503, body: wrappedError("SERVICE_UNAVAILABLE") });
  expect((await call("getSite", site.id)).status).toBe(200);
  expect(proxy.seen.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer old",
    `Bearer ${publisher.privateKey}`,
  ]);
});
