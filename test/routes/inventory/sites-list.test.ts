import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { categoryIdOf } from "../../../db/demo/network.ts";
import { dailyCounters } from "../../../db/schema/counters.ts";
import { api, dataOf, idOf, invalid, said } from "../../support/api.ts";
import { makeInventory, makePlacement, makePublisher, makeSite } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness({ vars: { PARTNER_ZONE_URL: "https://zones.partner.example/sites" } });
});
afterAll(() => h.close());

const list = (token: string, query = "") => api(h, "GET", `/api/site${query}`, { token });

/** A publisher with five sites, in the order of the list. */
const makeFive = async () => {
  const { id, privateKey: token } = await makePublisher(h.db);
  const made: Awaited<ReturnType<typeof makeSite>>[] = [];
  for (const second of [3, 1, 2, 2, 4]) {
    made.push(await makeSite(h.db, id, { createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)) }));
  }
  const order = made.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? -1 : 1));
  return { token, order };
};

describe("GET /api/site", () => {
  it("lists the publisher's own, newest first, then by id", async () => {
    const { token, order } = await makeFive();
    expect(said(await list(token))).toEqual([
      200,
      {
        success: true,
        data: order.map(({ id, name, createdAt }) => ({
          id,
          name,
          domain: null,
          status: "active",
          createdAt: createdAt.toISOString(),
        })),
        pagination: { total: 5, skip: 0, take: 50, hasMore: false },
      },
    ]);
  });

  it.each([
    ["?take=1", [0, 1], { skip: 0, take: 1, hasMore: true }],
    ["?take=100&stats=false", [0, 5], { skip: 0, take: 100, hasMore: false }],
    ["?skip=1&take=3", [1, 4], { skip: 1, take: 3, hasMore: true }],
    ["?skip=2&take=3", [2, 5], { skip: 2, take: 3, hasMore: false }],
    ["?skip=6", [5, 5], { skip: 6, take: 50, hasMore: false }],
  ] as const)("pages: %s", async (query, [from, to], pagination) => {
    const { token, order } = await makeFive();
    const { json } = await list(token, query);
    const { data, ...rest } = json as { data: { id: string }[] };
    expect(rest).toEqual({ success: true, pagination: { total: 5, ...pagination } });
    expect(data.map(({ id }) => id)).toEqual(order.slice(from, to).map(({ id }) => id));
  });

  it.each([
    ["take=0", "take: must be between 1 and 100"],
    ["take=101", "take: must be between 1 and 100"],
    ["take=-1", "take: must be between 1 and 100"],
    ["take=1.5", "take: must be an integer"],
    ["take=abc", "take: must be an integer"],
    ["skip=-1", "skip: must be between 0 and 9007199254740991"],
    ["include=stats", "include: must be relations"],
    ["stats=1", "stats: must be true or false"],
    ["stats=", "stats: must be true or false"],
    ["stats=TRUE", "stats: must be true or false"],
  ])("refuses %s", async (query, detail) => {
    const { privateKey } = await makePublisher(h.db);
    expect(said(await list(privateKey, `?${query}`))).toEqual(invalid(detail));
  });

  it("include=relations adds category and placements, newest first", async () => {
    const { publisher, site } = await makeInventory(h.db, {
      site: { categoryId: categoryIdOf("apparel-and-fashion/footwear"), domain: "shop.example" },
      placement: { name: "Old", createdAt: new Date("2026-01-01") },
    });
    const bare = await makeSite(h.db, publisher.id, { createdAt: new Date("2026-01-01") });
    await makePlacement(h.db, site.id, { name: "New", status: "inactive" });
    expect(dataOf(await list(publisher.privateKey, "?include=relations"))).toEqual([
      {
        id: site.id,
        name: site.name,
        domain: "shop.example",
        status: "active",
        createdAt: site.createdAt.toISOString(),
        category: {
          id: site.categoryId,
          name: "Apparel and Fashion > Footwear",
          path: "apparel-and-fashion/footwear",
          taxonomyId: "1.2",
        },
        placements: [
          { id: idOf("plc"), name: "New", status: "inactive" },
          { id: idOf("plc"), name: "Old", status: "active" },
        ],
      },
      {
        id: bare.id,
        name: bare.name,
        domain: null,
        status: "active",
        createdAt: "2026-01-01T00:00:00.000Z",
        category: null,
        placements: [],
      },
    ]);
  });
});

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

const count = (placementId: string, days: number, counts: Partial<typeof dailyCounters.$inferInsert>) =>
  h.db.insert(dailyCounters).values({
    day: dayBefore(days),
    placementId,
    offerId: "ofr",
    advertiserId: "adv",
    country: "US",
    ...counts,
  });

describe("stats=true", () => {
  const none = { placements: 0, activePlacements: 0, requests: 0, impressions: 0, clicks: 0, closes: 0, ctr: 0 };

  it("adds placements and what the last 30 days counted", async () => {
    const { publisher, site, placement } = await makeInventory(h.db);
    const second = await makePlacement(h.db, site.id, { status: "inactive" });
    const sibling = await makeSite(h.db, publisher.id, { createdAt: new Date("2026-01-01") });
    const elsewhere = await makePlacement(h.db, sibling.id);
    await count(placement.id, 0, { offerId: "", advertiserId: "", requests: 10, fills: 9 });
    await count(placement.id, 0, { impressions: 5, viewables: 4, clicks: 1, closes: 2, conversions: 1 });
    await count(placement.id, 0, { country: "CA", impressions: 3 });
    await count(second.id, 29, { impressions: 1, clicks: 2, closes: 1, requests: 4 });
    await count(placement.id, 30, { impressions: 1000, clicks: 1000, closes: 1000, requests: 1000 });
    await count(elsewhere.id, 1, { impressions: 7, requests: 7 });
    const stats = dataOf<{ stats: object }[]>(await list(publisher.privateKey, "?stats=true")).map((one) => one.stats);
    expect(stats).toEqual([
      { placements: 2, activePlacements: 1, requests: 14, impressions: 9, clicks: 3, closes: 3, ctr: 0.333333 },
      { placements: 1, activePlacements: 1, requests: 7, impressions: 7, clicks: 0, closes: 0, ctr: 0 },
    ]);
  });

  it("is all zeros for a site without placements", async () => {
    const { id, privateKey } = await makePublisher(h.db);
    await makeSite(h.db, id);
    expect(dataOf(await list(privateKey, "?stats=true"))).toMatchObject([{ stats: none }]);
  });

  it("goes together with relations, in one round trip after authentication", async () => {
    const { publisher } = await makeInventory(h.db);
    const before = h.endpoint.requests;
    const [one] = dataOf<object[]>(await list(publisher.privateKey, "?stats=true&include=relations"));
    expect(h.endpoint.requests - before).toBe(2);
    const names = ["id", "name", "domain", "status", "createdAt", "category", "placements", "stats"];
    expect(Object.keys(one ?? {}).sort()).toEqual(names.sort());
  });
});

describe("with a partner's ad server", () => {
  it.each([
    [{}, [{ status: "pending" }]],
    [{ createPartnerZone: true }, [{ status: "pending" }]],
    [{ createPartnerZone: false }, []],
  ])("a new site's job is pending: %j", async (input, jobs) => {
    const { privateKey: token } = await makePublisher(h.db);
    const { id } = dataOf<{ id: string }>(
      await api(h, "POST", "/api/site", { token, body: { name: "Shop", ...input } }),
    );
    expect(await h.rows("select status from partner_zone_jobs where site_id = $1", [id])).toEqual(jobs);
    expect((await api(h, "POST", "/api/site", { token, body: { name: "Shop" } })).status).toBe(200);
    expect(await h.rows("select status from partner_zone_jobs where site_id = $1", [id])).toEqual(jobs);
  });
});
