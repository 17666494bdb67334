import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demo } from "../../../../db/demo/network.ts";
import { idSuffix, newId } from "../../../../db/core/ids.ts";
import type { Envelope } from "../../../../functions/answer/envelope.ts";
import { askOffers, offersPath, requestOffers, trackedOf } from "../../../support/ask-offers.ts";
import { makeInventory, makePlacement } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";

let h: Harness;
const live = { publicKey: demo.publicKey, placementId: demo.placements.live };
const valid = { placementId: demo.placements.live, sessionId: "s-1", "at.orderid": "1001" };
const authorization = `Bearer ${demo.publicKey}`;

beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

/** Asks for offers, and tells how request and decision are named. */
const decisionOf = async (headers: Record<string, string> = {}) => {
  const response = await requestOffers(h, live, headers);
  const { offers } = (await response.json()) as Envelope;
  const { decisionId } = await trackedOf(offers[0]);
  return { requestId: response.headers.get("x-request-id"), suffix: idSuffix(decisionId) };
};

describe("parameters over HTTP", () => {
  const given = {
    "at.email": "Jo@Shop.example",
    "at.firstname": "Jo",
    "at.lname": "Doe",
    "at.mobile": "+1 (555) 010-0142",
    "at.country": "us",
    "at.language": "en-US",
    "at.address": "1 Main St\nApt 2",
    "at.zipcode": "12345",
    "at.order_id": "#1001",
    "at.ordervalue": "120.50",
    "at.currency": "usd",
    "at.billingaddress1": "1 Main St",
    "at.billingzipcode": "12345",
    "at.payment_type": "creditCard",
    count: "3",
    utm_source: "ignored",
  };

  it("are all taken together", async () => {
    expect((await askOffers(h, { ...live, ...given })).offers).toHaveLength(3);
  });

  it("count the first of those that come twice", async () => {
    const query = new URLSearchParams({ ...valid, "at.country": "US", "at.language": "en" }).toString();
    const lengthOf = async (counts: string) => {
      const response = await h.fetch(`/api/odata?${query}&${counts}`, { headers: { authorization } });
      return ((await response.json()) as { offers: unknown[] }).offers.length;
    };
    expect(await lengthOf("count=1&count=3")).toBe(1);
    expect(await lengthOf("count=3&count=nonsense")).toBe(3);
    expect(await lengthOf("count=&count=3")).toBe(4);
    const broken = await h.fetch(`/api/odata?${query}&count=nonsense&count=3`, { headers: { authorization } });
    expect(broken.status).toBe(400);
  });

  it.each([
    [undefined, 4],
    ["1", 1],
    ["2", 2],
    [" 5 ", 5],
    ["", 4],
  ])("give, with a count of %j, %d offers", async (count, length) => {
    const { offers } = await askOffers(h, {
      ...live,
      "at.country": "US",
      "at.language": "en",
      ...(count === undefined ? {} : { count }),
    });
    expect(offers).toHaveLength(length);
  });

  it("read plus signs and percent-escapes as a form does", async () => {
    const placement = `placementId=${demo.placements.live}`;
    const response = await h.fetch(
      `/api/odata?${placement}&sessionId=a+b%20c&at%2Eemail=jo%40shop.example&at.country=%55S`,
      { headers: { authorization } },
    );
    expect(response.status).toBe(200);
  });
});

describe("headers", () => {
  const cases: [string, number, () => Promise<Awaited<ReturnType<Harness["fetch"]>>>][] = [
    ["a success", 200, () => requestOffers(h, live)],
    ["an empty success", 200, () => requestOffers(h, { ...live, placementId: demo.placements.inactive })],
    ["400", 400, () => requestOffers(h, { ...live, count: "0" })],
    ["401", 401, () => h.fetch(offersPath(valid))],
    ["404", 404, () => requestOffers(h, { ...live, placementId: newId("placement") })],
    ["405", 405, () => h.fetch("/api/odata", { method: "POST" })],
    ["404 of a path with a slash too many", 404, () => h.fetch("/api/odata/")],
    ["404 of a path below", 404, () => h.fetch("/api/odata/x", { method: "POST" })],
  ];

  it.each(cases)("open %s to every page and keep it out of caches", async (_, status, get) => {
    const response = await get();
    expect(response.status).toBe(status);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(response.headers.get("x-request-id")).toMatch(/^[\w-]{10,}$/);
  });

  it.each(cases.slice(1))("let pages read what they need to ask about %s", async (_, _status, get) => {
    const exposed = (await get()).headers.get("access-control-expose-headers");
    expect(exposed?.split(",")).toEqual(["x-no-fill-reason", "x-request-id"]);
  });

  it("name the decision as the request, but never twice as a caller did", async () => {
    const own = await decisionOf();
    expect(own.requestId).toBe(`req_${own.suffix}`);
    const named = { "x-request-id": newId("request") };
    const [first, second] = [await decisionOf(named), await decisionOf(named)];
    expect([first.requestId, second.requestId]).toEqual([named["x-request-id"], named["x-request-id"]]);
    expect(new Set([first.suffix, second.suffix, idSuffix(named["x-request-id"])]).size).toBe(3);
  });

  it("say why there are no offers, and only then", async () => {
    const filled = await requestOffers(h, live);
    expect(filled.headers.get("x-no-fill-reason")).toBeNull();
    expect(filled.headers.get("access-control-expose-headers")).toBeNull();
    const empty = await requestOffers(h, { ...live, placementId: demo.placements.inactive });
    expect(empty.headers.get("x-no-fill-reason")).toBe("placement_inactive");
  });

  it("let a page ask beforehand", async () => {
    const response = await h.fetch("/api/odata?x=1", {
      method: "OPTIONS",
      headers: {
        origin: "https://shop.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "authorization,content-type",
      },
    });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
    const listed = (name: string) => response.headers.get(name)?.toLowerCase().split(/, ?/).sort();
    expect(listed("access-control-allow-headers")).toEqual(["authorization", "content-type"]);
    expect(listed("access-control-allow-methods")).toContain("get");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-max-age")).toBe("7200");
    expect(response.headers.get("x-request-id")).not.toBeNull();
  });

  it("answer HEAD as GET, without a body and without counting a request", async () => {
    const { publisher, placement } = await makeInventory(h.db);
    const head = (placementId: string) =>
      h.fetch(offersPath({ ...valid, placementId }), {
        method: "HEAD",
        headers: { authorization: `Bearer ${publisher.publicKey}` },
      });
    const response = await head(placement.id);
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect((await head(newId("placement"))).status).toBe(404);
    const other = await makePlacement(h.db, placement.siteId);
    await askOffers(h, { publicKey: publisher.publicKey, placementId: other.id });
    const counted = () =>
      h.rows<{ placement_id: string; requests: string }>(
        "select placement_id, sum(requests) as requests from daily_counters where placement_id = any ($1) group by 1",
        [[placement.id, other.id]],
      );
    const rows = await h.until(counted, (found) => found.length > 0);
    expect(rows).toEqual([{ placement_id: other.id, requests: "1" }]);
  });

  it.each(["POST", "PUT", "PATCH", "DELETE"])("name the methods when asked with %s", async (method) => {
    const response = await h.fetch(offersPath(valid), { method, headers: { authorization } });
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect([response.status, await response.json()]).toEqual([
      405,
      { success: false, error: { code: "METHOD_NOT_ALLOWED", message: "This path answers GET, HEAD, OPTIONS" } },
    ]);
  });
});

describe("500", () => {
  let broken: Harness;
  beforeAll(async () => {
    broken = await startHarness({ databaseUrl: "postgres://someone:hunter2@127.0.0.1:9/secretdb" });
  });
  afterAll(() => broken.close());

  it("says nothing about its cause but the id of the request, which the log has too", async () => {
    const response = await requestOffers(broken, live, { "x-request-id": "trace-500" });
    expect(response.status).toBe(500);
    expect(response.headers.get("x-request-id")).toBe("trace-500");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({
      success: false,
      error: { code: "INTERNAL_SERVER_ERROR", message: "An unexpected error occurred" },
    });
    const logs = await broken.until(
      () => Promise.resolve(broken.logs().join("\n")),
      (text) => text.includes("trace-500"),
    );
    expect(logs).toContain("trace-500 GET /api/odata failed");
    expect(logs).not.toContain("hunter2");
    expect(logs).not.toContain(demo.publicKey);
  });

  it("spares a malformed key the trouble", async () => {
    expect((await broken.fetch(offersPath(valid))).status).toBe(401);
  });
});
