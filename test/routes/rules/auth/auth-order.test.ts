import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { api, disallowed, flat, invalid, missing, said, wrapped, type Method } from "../../../support/api.ts";
import {
  makeInventory,
  makePlacement,
  makePlatform,
  makePublisher,
  makeSite,
  offerBody,
} from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";

let h: Harness;

beforeAll(async () => {
  h = await sharedHarness();
});

const siteId = newId("site");
const placementId = newId("placement");
const publisherId = newId("publisher");

const BAD_BODIES: [Method, string][] = [
  ["POST", "/api/v1/publishers"],
  ["PUT", `/api/v1/publishers/${publisherId}`],
  ["PATCH", `/api/v1/publishers/${publisherId}/status`],
  ["PATCH", `/api/v1/publishers/${publisherId}/ads`],
  ["PATCH", `/api/v1/publishers/${publisherId}/limits`],
  ["PATCH", `/api/v1/publishers/${publisherId}/order`],
  ["POST", "/api/site"],
  ["PUT", `/api/site/${siteId}`],
  ["PATCH", `/api/site/${siteId}/status`],
  ["PATCH", `/api/site/${siteId}/ads`],
  ["POST", "/api/placements"],
  ["PUT", `/api/placements/${placementId}`],
  ["PATCH", `/api/placements/${placementId}/status`],
];
const BAD_QUERIES: [Method, string][] = [
  ["GET", "/api/v1/publishers?take=0"],
  ["GET", "/api/v1/publishers/me?include=everything"],
  ["GET", `/api/v1/publishers/${publisherId}?include=everything`],
  ["GET", `/api/v1/publishers/${publisherId}/events?take=0`],
  ["GET", "/api/site?take=0"],
  ["GET", "/api/v1/categories?take=0"],
  ["GET", `/api/site/${siteId}/events?take=0`],
  ["GET", `/api/placements?take=0&siteId=${siteId}`],
];
const REQUESTS = [...BAD_BODIES, ...BAD_QUERIES];

/** Makes ids that nothing has; a malformed one may be a text that Postgres cannot hold. */
const UNKNOWN_IDS = [
  ["malformed", () => "a\0b"],
  ["of nothing", newId],
] as const;

const isForPlatforms = (path: string) => path.endsWith("/limits") || /^\/api\/v1\/publishers(?:\?|$)/.test(path);

describe("the order of checks", () => {
  it.each(REQUESTS)("401 before 400: %s %s", async (method, path) => {
    const { status } = await api(h, method, path, { body: method === "GET" ? undefined : "{" });
    expect(status).toBe(401);
  });

  it.each(REQUESTS)("400 before 404: %s %s", async (method, path) => {
    const platform = await makePlatform(h.db);
    const { privateKey } = await makePublisher(h.db, { platformId: platform.id });
    const token = isForPlatforms(path) ? platform.token : privateKey;
    const body = method === "GET" ? undefined : { name: "", status: null, adsEnabled: null, elevatedLimits: null };
    const { status, json } = await api(h, method, path, { token, body });
    const code = /(?:status|ads)$/.test(path) ? "INVALID_FIELD_VALUE" : "VALIDATION_FAILED";
    expect([status, json]).toMatchObject([400, { code }]);
  });

  describe.each(UNKNOWN_IDS)("400 before 404, though only the database tells it, for an id that is %s", (_, idOf) => {
    const token = SECRETS.ADMIN_TOKEN;
    const targeting = { categories: ["Nothing"] };
    const noCategory = invalid("targeting.categories: has no category named Nothing");

    it("at sites", async () => {
      const { privateKey } = await makePublisher(h.db);
      const path = `/api/site/${encodeURIComponent(idOf("site"))}`;
      const answer = await api(h, "PUT", path, { token: privateKey, body: { categoryName: "Nothing" } });
      expect(said(answer)).toEqual(disallowed("categoryName", "Nothing", "name of an existing category"));
    });

    it("at offers", async () => {
      const path = `/api/v1/offers/${encodeURIComponent(idOf("offer"))}`;
      expect(said(await api(h, "PUT", path, { token, body: { targeting } }))).toEqual(noCategory);
    });

    it("at creatives", async () => {
      const path = `/api/v1/offers/${encodeURIComponent(idOf("offer"))}/creatives/${encodeURIComponent(idOf("creative"))}`;
      const answer = await api(h, "PUT", path, { token, body: { offerId: newId("offer") } });
      expect(said(answer)).toEqual(invalid("offerId: cannot be changed"));
    });
  });

  it.each(["/api/v1/offers", "/api/v1/offers/forecast"])(
    "400 of the body before 404 of the advertiser that it names: POST %s",
    async (path) => {
      const token = SECRETS.ADMIN_TOKEN;
      for (const advertiserId of ["adv_1", newId("advertiser")]) {
        const body = offerBody(advertiserId, { targeting: { categories: ["Nothing"] } });
        const refused = invalid("targeting.categories: has no category named Nothing");
        expect(said(await api(h, "POST", path, { token, body }))).toEqual(refused);
        const unknown = await api(h, "POST", path, { token, body: offerBody(advertiserId) });
        expect(said(unknown)).toEqual(missing("Advertiser", advertiserId));
      }
    },
  );

  it("401 before 429 before 400 before 404", async () => {
    const { privateKey: token } = await makePublisher(h.db);
    const body = { status: 5 };
    const ask = (path: string, given: string) => api(h, "PATCH", path, { token: given, body });
    const path = `/api/site/${siteId}/status`;
    for (let i = 0; i < 50; i++) expect((await ask(path, token)).status).toBe(400);
    expect(said(await ask(path, token))).toEqual([
      429,
      wrapped("RATE_LIMIT_EXCEEDED", { retryAfter: expect.any(Number) }),
    ]);
    expect(said(await ask(path, `${token}x`))).toEqual([401, wrapped("UNAUTHORIZED")]);
  });

  it("404 and 403 before 409", async () => {
    const own = await makePublisher(h.db);
    const site = await makeSite(h.db, own.id);
    const other = await makeInventory(h.db);
    const token = own.privateKey;
    const body = { name: own.name, contactEmail: own.contactEmail };
    const foreign = await api(h, "PUT", `/api/v1/publishers/${other.publisher.id}`, { token, body });
    expect(said(foreign)).toEqual([403, wrapped("FORBIDDEN")]);
    const unknown = await api(h, "PUT", `/api/v1/publishers/${publisherId}`, { token, body });
    expect(said(unknown)).toEqual(missing("Publisher", publisherId));
    const foreignSite = await api(h, "PUT", `/api/site/${other.site.id}`, { token, body: { name: site.name } });
    expect(said(foreignSite)).toEqual(missing("Site", other.site.id));
  });

  it("nothing is said of active placements to a stranger", async () => {
    const { privateKey: token } = await makePublisher(h.db);
    const { publisher, site } = await makeInventory(h.db);
    await makePlacement(h.db, site.id);
    const forbidden = await api(h, "DELETE", `/api/v1/publishers/${publisher.id}`, { token });
    expect(said(forbidden)).toEqual([403, wrapped("FORBIDDEN")]);
    expect(said(await api(h, "DELETE", `/api/site/${site.id}`, { token }))).toEqual(missing("Site", site.id));
  });

  it("an unknown path is 404, a wrong method 405, with or without a credential", async () => {
    const { privateKey } = await makePublisher(h.db);
    for (const token of [undefined, privateKey]) {
      expect(said(await api(h, "GET", "/api/v1/sites", { token }))).toEqual([404, wrapped("NOT_FOUND")]);
      const wrong = await api(h, "PATCH", "/api/site", { token, body: {} });
      expect(said(wrong)).toEqual([405, wrapped("METHOD_NOT_ALLOWED")]);
      expect(wrong.headers.get("allow")).toBe("GET, POST, HEAD, OPTIONS");
    }
  });

  it("a refusal has the time of now", async () => {
    const { json } = await api(h, "GET", "/api/v1/publishers");
    expect(json).toEqual(flat("INVALID_TOKEN"));
    const { timestamp } = json as { timestamp: string };
    expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(60_000);
  });
});
