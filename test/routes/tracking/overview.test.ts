import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { api, dataOf } from "../../support/api.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlacement, makePlatform } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
beforeAll(async () => {
  h = await sharedHarness();
});

type Some = { total: number; offers: { id: string; share: number | null; endsAt: string | null }[] };
type Row = { id: string; name: string | null; requests?: number; revenue?: number; clicks: number };
type Ranks = { best: Row[]; worst: Row[] };
type Overview = {
  today: Record<string, number>;
  lastWeek: Record<string, number>;
  emptyAnswers: { reason: string; requests: number }[];
  placements: Ranks;
  offers: Ranks;
  nearCap: Some;
  ended: Some;
  neverShown: Some;
  clickedLess: Some;
};

const ask = async (token: string) => dataOf<Overview>(await api(h, "GET", "/api/v1/overview", { token }));
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

type Counts = {
  daysAgo?: number;
  offerId?: string;
  requests?: number;
  impressions?: number;
  clicks?: number;
  revenue?: number;
};

type Place = { placement: { id: string }; site: { id: string }; publisher: { id: string } };

/** Counts something at a placement on a day. */
const count = (
  { placement, site, publisher }: Place,
  { daysAgo = 0, offerId = "", requests = 0, impressions = 0, clicks = 0, revenue = 0 }: Counts,
) =>
  h.rows(
    `insert into daily_counters (day, placement_id, offer_id, advertiser_id, country, site_id, publisher_id, requests,
       fills, impressions, viewables, clicks, revenue_micros, gross_micros)
     values ((now() at time zone 'UTC')::date - $1::int, $2, $3, '', 'US', $4, $5, $6, $6, $7, $7, $8, $9::numeric, $9::numeric)`,
    [daysAgo, placement.id, offerId, site.id, publisher.id, requests, impressions, clicks, revenue * 1e6],
  );

/** Counts requests of an hour, so many hours from the beginning of the UTC day a week ago. */
const countHour = (placementId: string, hours: number, requests: number, reason = "") =>
  h.rows(
    `insert into hourly_requests (hour, placement_id, country, reason, arm, requests)
     values ((((now() at time zone 'UTC')::date - 7)::timestamp at time zone 'UTC') + $1 * interval '1 hour', $2, 'US', $4, '0', $3)`,
    [hours, placementId, requests, reason],
  );

const makeTenant = async () => {
  const platform = await makePlatform(h.db);
  return { platform, ...(await makeInventory(h.db, { publisher: { platformId: platform.id } })) };
};

const secondOfDay = async () => {
  const [row] = await h.rows<{ second: number }>(
    "select extract(epoch from (now() at time zone 'UTC')::time)::float8 as second",
  );
  return row?.second ?? 0;
};

describe("GET /api/v1/overview", () => {
  it("tells a new publisher of nothing", async () => {
    const { publisher } = await makeTenant();
    const none = { requests: 0, fills: 0, impressions: 0, viewable: 0, clicks: 0, conversions: 0, revenue: 0 };
    const some = { total: 0, offers: [] };
    expect(await ask(publisher.privateKey)).toEqual({
      today: none,
      lastWeek: none,
      emptyAnswers: [],
      placements: { best: [], worst: [] },
      offers: { best: [], worst: [] },
      nearCap: some,
      ended: some,
      neverShown: some,
      clickedLess: some,
    });
  });

  it("compares the day with a week ago by the requests that had come until then", async () => {
    const tenant = await makeTenant();
    await count(tenant, { requests: 100, impressions: 80, clicks: 4, revenue: 2 });
    await count(tenant, { daysAgo: 7, requests: 400, impressions: 200, clicks: 40, revenue: 8 });
    // All of that day's requests came in its first hour; those of the next day do not count.
    await countHour(tenant.placement.id, 0, 300);
    await countHour(tenant.placement.id, 24, 1_000);
    const { today, lastWeek } = await ask(tenant.publisher.privateKey);
    expect(today).toMatchObject({ requests: 100, impressions: 80, viewable: 80, clicks: 4, revenue: 2 });
    const share = (lastWeek["requests"] ?? 0) / 400;
    const [row] = await h.rows<{ passed: number }>(
      "select least(1, extract(epoch from (now() at time zone 'UTC')::time) / 3600)::float8 as passed",
    );
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThanOrEqual((row?.passed ?? 0) + 0.01);
    // Both are rounded, requests and clicks.
    expect(Math.abs((lastWeek["clicks"] ?? 0) - 40 * share)).toBeLessThanOrEqual(0.55 + 1e-9);
    expect(lastWeek["revenue"]).toBeCloseTo(8 * share, 1);
  });

  it("compares the day with a week ago by the clock where the placements of then are deleted", async () => {
    const tenant = await makeTenant();
    await count(tenant, { daysAgo: 7, requests: 86_400, impressions: 86_400 });
    await countHour(newId("placement"), 0, 86_400);
    const from = await secondOfDay();
    const { lastWeek } = await ask(tenant.publisher.privateKey);
    const to = await secondOfDay();
    const requests = lastWeek["requests"] ?? 0;
    const bounds = [requests >= Math.floor(from), requests <= Math.ceil(to)];
    // At midnight a new day begins, and one of the two bounds holds.
    expect(to < from ? bounds.some(Boolean) : bounds.every(Boolean)).toBe(true);
    expect(lastWeek["impressions"]).toBe(lastWeek["requests"]);
  });

  it("names the best and the worst of the week, each caller its own", async () => {
    const [tenant, other] = [await makeTenant(), await makeTenant()];
    const second = { ...tenant, placement: await makePlacement(h.db, tenant.site.id, { name: "Second" }) };
    await count(tenant, { requests: 1_000, revenue: 5 });
    await count(second, { requests: 200, revenue: 4, daysAgo: 3 });
    await count(other, { requests: 1_000, revenue: 50 });
    await count(second, { requests: 9_000, revenue: 900, daysAgo: 8 });
    for (const token of [tenant.publisher.privateKey, tenant.platform.token]) {
      const { placements } = await ask(token);
      expect(ids(placements.best)).toEqual([tenant.placement.id, second.placement.id]);
      expect(ids(placements.worst)).toEqual([tenant.placement.id, second.placement.id]);
      expect(placements.best[1]).toEqual({
        id: second.placement.id,
        name: "Second",
        requests: 200,
        impressions: 0,
        clicks: 0,
        revenue: 4,
      });
    }
  });

  it("ranks by clicks where a token may not see revenue, and shows none", async () => {
    const tenant = await makeTenant();
    const advertiser = await makeAdvertiser(h.db);
    const [rich, liked] = [await makeOffer(h.db, advertiser.id), await makeOffer(h.db, advertiser.id)];
    await count(tenant, { offerId: rich.id, impressions: 100, clicks: 1, revenue: 9 });
    await count(tenant, { offerId: liked.id, impressions: 100, clicks: 9, revenue: 1 });
    expect(ids((await ask(tenant.publisher.privateKey)).offers.best)).toEqual([rich.id, liked.id]);
    await h.rows("update api_tokens set revenue_access = false where publisher_id = $1", [tenant.publisher.id]);
    const blind = await ask(tenant.publisher.privateKey);
    expect(ids(blind.offers.best)).toEqual([liked.id, rich.id]);
    expect(JSON.stringify(blind)).not.toMatch(/revenue|gross/);
  });

  it("tells why answers of the last week were empty", async () => {
    const tenant = await makeTenant();
    await countHour(tenant.placement.id, 24 * 6, 7, "no_eligible_offer");
    await countHour(tenant.placement.id, 24 * 6 + 1, 8, "no_eligible_offer");
    await countHour(tenant.placement.id, 24 * 6, 3, "site_ads_disabled");
    await countHour(tenant.placement.id, -24, 90, "site_ads_disabled");
    expect((await ask(tenant.platform.token)).emptyAnswers).toEqual([
      { reason: "no_eligible_offer", requests: 15 },
      { reason: "site_ads_disabled", requests: 3 },
    ]);
  });

  it("tells a platform of its offers near a cap, ended and never shown, and a publisher of none", async () => {
    const tenant = await makeTenant();
    const advertiser = await makeAdvertiser(h.db, { platformId: tenant.platform.id });
    const old = new Date(Date.now() - 3 * 86_400_000);
    const near = await makeOffer(h.db, advertiser.id, { dailyCap: 10, lifetimeCap: 1_000 });
    const ended = await makeOffer(h.db, advertiser.id, { endsAt: old });
    const never = await makeOffer(h.db, advertiser.id, { createdAt: old });
    await makeOffer(h.db, advertiser.id, { createdAt: old, status: "paused" });
    const shown = await makeOffer(h.db, advertiser.id, { createdAt: old });
    await count(tenant, { offerId: shown.id, impressions: 1 });
    await h.rows("insert into offer_usage (offer_id, day, used) values ($1, (now() at time zone 'UTC')::date, 9)", [
      near.id,
    ]);
    const found = await ask(tenant.platform.token);
    expect(found.nearCap).toMatchObject({ total: 1, offers: [{ id: near.id, share: 0.9 }] });
    expect(found.ended).toMatchObject({ total: 1, offers: [{ id: ended.id, endsAt: old.toISOString() }] });
    expect(found.neverShown).toMatchObject({ total: 1, offers: [{ id: never.id }] });
    const nobody = await ask(tenant.publisher.privateKey);
    const { nearCap, clickedLess, ...rest } = nobody;
    expect([nearCap, rest.ended, rest.neverShown, clickedLess].map(({ total }) => total)).toEqual([0, 0, 0, 0]);
  });
});
