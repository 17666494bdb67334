import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { ARMS, partOf } from "../../../functions/decision/arms.ts";
import { api, dataOf, invalid, said } from "../../support/api.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlatform } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";
import { makeHit, message } from "../../support/tracking/hits.ts";
import { before, compact, day, range, reporting } from "../../support/tracking/reporting.ts";

let h: Harness;
const { count, grant, part, rows } = reporting(() => h);
beforeAll(async () => {
  h = await sharedHarness();
});

type Range = { difference: number; low: number; high: number } | null;
type Gain = { perThousand: Range; inAll: Range; summary: string };
type Arm = Record<"arm", string> & Record<string, number | null>;
type Answer = {
  arms: Arm[];
  compared: { since: string | null; learnedRequests: number; holdoutRequests: number };
  revenue?: Gain;
  gross?: Gain;
};

const path = (asked: Record<string, string> = {}) =>
  `/api/v1/experiments?${new URLSearchParams({ ...range(day(-30), day()), ...asked }).toString()}`;
const read = async (token: string, asked: Record<string, string> = {}) =>
  dataOf<Answer>(await api(h, "GET", path(asked), { token }));

/** Tells, for revenue and gross, whether an answer compares them, and whether its arms have them. */
const kinds = (found: Answer) => [
  ["revenue" in found, found.arms.some((arm) => "revenue" in arm || "revenuePerThousand" in arm)],
  ["gross" in found, found.arms.some((arm) => "gross" in arm || "grossPerThousand" in arm)],
];

/** Tells how many requests were held out: those counted, and those compared. */
const seen = async (token: string, publisherId?: string) => {
  const { arms, compared } = await read(token, publisherId === undefined ? {} : { publisherId });
  return [arms[1]?.["requests"], compared.holdoutRequests];
};

type Money = { part: number; gross: number; revenue: number };

/** Finds what a session earned, or a decision without one. */
const sums = (found: Money[], session: string | null, decision = "") =>
  found.find(({ part: number }) => number === partOf(session, decision));

describe("GET /api/v1/experiments", () => {
  it("shows what each arm made, and in words what learning earned since when", async () => {
    const { publisher, placement } = await makeInventory(h.db);
    const arm = { offerId: "", impressions: 0, clicks: 0 };
    await count(placement.id, { ...arm, arm: ARMS.learned, requests: 6_400, fills: 3_200 });
    await count(placement.id, { ...arm, arm: ARMS.holdout, requests: 640, fills: 640 });
    const shown = { impressions: 400, clicks: 20, conversions: 5, grossMicros: 4e6, revenueMicros: 2e6 };
    await count(placement.id, { arm: ARMS.learned, ...shown });
    await part(publisher.id, ARMS.learned, 100, (n) => 20 + (n % 2));
    await part(publisher.id, ARMS.holdout, 10, (n) => 1 + (n % 2));
    const found = await read(publisher.privateKey);
    const nothing = { fillRate: null, ctr: null, conversionRate: null, revenuePerThousand: null };
    expect(found.arms).toMatchObject([
      { arm: "learned", requests: 6_400, fillRate: 0.5, ctr: 0.05, conversionRate: 0.25, revenue: 2 },
      { arm: "holdout", requests: 640, fillRate: 1, ctr: null, revenue: 0, revenuePerThousand: 0 },
      { arm: "random", requests: 0, ...nothing, revenue: 0 },
    ]);
    expect(found.arms[0]?.["revenuePerThousand"]).toBe(0.3125);
    expect(found.compared).toEqual({ since: day(-3), learnedRequests: 6_400, holdoutRequests: 640 });
    // A learned request earns 0.205 USD, and one that is held out 0.15.
    expect(found.revenue?.perThousand?.difference).toBeCloseTo(55, 6);
    expect(found.revenue?.inAll?.difference).toBeCloseTo(352, 6);
    expect(found.revenue?.perThousand?.low).toBeGreaterThan(0);
    expect(found.revenue?.summary).toMatch(
      new RegExp(
        `^Since ${day(-3)} learning earned 55.00 USD more revenue for a thousand requests than the order before learning`,
      ),
    );
    expect(found).not.toHaveProperty("gross");
  });

  it("shows each kind of money to those tokens only that may see it", async () => {
    const { publisher } = await makeInventory(h.db);
    await part(publisher.id, ARMS.learned, 100, (n) => 19 + 2 * (n % 2));
    await part(publisher.id, ARMS.holdout, 10, () => 3);
    for (const [revenue, gross] of [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ] as const) {
      await grant(publisher.id, revenue, gross);
      const found = await read(publisher.privateKey);
      expect(kinds(found)).toEqual([
        [revenue, revenue],
        [gross, gross],
      ]);
      expect(found.gross?.perThousand?.difference).toEqual(gross ? -200 : undefined);
    }
    const found = await read(SECRETS.ADMIN_TOKEN, { publisherId: publisher.id });
    expect(found.revenue?.perThousand?.difference).toBe(-100);
    expect(found.revenue?.perThousand?.high).toBeLessThan(-80);
    expect(found.revenue?.summary).toContain("100.00 USD less revenue");
  });

  it("is of a publisher's own, of a platform's publishers, and for the administrator of all or one", async () => {
    const platform = await makePlatform(h.db);
    const own = await makeInventory(h.db, { publisher: { platformId: platform.id } });
    const foreign = await makeInventory(h.db);
    for (const { publisher, placement } of [own, foreign]) {
      await part(publisher.id, ARMS.learned, 100, () => 20);
      await part(publisher.id, ARMS.holdout, 10, () => 1);
      await count(placement.id, { offerId: "", arm: ARMS.holdout, requests: 7 });
    }
    expect(await seen(own.publisher.privateKey)).toEqual([7, 640]);
    expect(await seen(platform.token)).toEqual([7, 640]);
    expect(await seen(platform.token, own.publisher.id)).toEqual([7, 640]);
    expect(await seen(platform.token, foreign.publisher.id)).toEqual([0, 0]);
    expect(await seen(own.publisher.privateKey, foreign.publisher.id)).toEqual([0, 0]);
    expect(await seen(SECRETS.ADMIN_TOKEN, foreign.publisher.id)).toEqual([7, 640]);
  });

  it("compares publishers with themselves, whatever share of their sessions they hold out", async () => {
    const platform = await makePlatform(h.db);
    const { publisher: rich } = await makeInventory(h.db, { publisher: { platformId: platform.id } });
    const { publisher: poor } = await makeInventory(h.db, { publisher: { platformId: platform.id } });
    const { publisher: none } = await makeInventory(h.db, { publisher: { platformId: platform.id } });
    await part(rich.id, ARMS.learned, 100, (n) => 109 + 2 * (n % 2));
    await part(rich.id, ARMS.holdout, 100, () => 100);
    await part(poor.id, ARMS.learned, 1_000, () => 110);
    await part(poor.id, ARMS.holdout, 10, () => 1);
    await part(none.id, ARMS.learned, 9_999, () => 1);
    const { revenue, compared } = await read(platform.token);
    expect(compared).toEqual({ since: day(-3), learnedRequests: 64 * 1_100, holdoutRequests: 64 * 110 });
    // Taken together, requests that are held out would earn eight times what others do.
    expect(revenue?.perThousand?.difference).toBeCloseTo((1_000 * (100 * 0.1 + 10 * 0.01)) / 110, 5);
  });

  it("compares what is before and after a change of the share apart, and leaves the day of the change out", async () => {
    const { publisher } = await makeInventory(h.db);
    await part(publisher.id, ARMS.learned, 100, (n) => 19 + 2 * (n % 2), day(-5));
    await part(publisher.id, ARMS.holdout, 10, () => 1, day(-5));
    await part(publisher.id, ARMS.learned, 100, () => 999, day(-4));
    await part(publisher.id, ARMS.holdout, 100, () => 1, day(-4));
    await part(publisher.id, ARMS.learned, 50, () => 100, day(-3));
    await part(publisher.id, ARMS.holdout, 50, () => 95, day(-3));
    const change = "update publishers set holdout_changed_on = array[$2::date] where id = $1";
    await h.rows(change, [publisher.id, day(-4)]);
    const { revenue, compared } = await read(publisher.privateKey);
    expect(compared).toEqual({ since: day(-5), learnedRequests: 64 * 150, holdoutRequests: 64 * 60 });
    expect(revenue?.perThousand?.difference).toBeCloseTo((1_000 * (10 * 0.1 + 50 * 0.1)) / 60, 5);
    const later = await read(publisher.privateKey, { dateStart: compact(day(-3)) });
    expect(later.compared).toEqual({ since: day(-3), learnedRequests: 64 * 50, holdoutRequests: 64 * 50 });
  });

  it("says that nobody was held out, and that too little was paid for", async () => {
    const { publisher } = await makeInventory(h.db);
    await part(publisher.id, ARMS.learned, 100, (n) => (n < 58 ? 20 : 0));
    await part(publisher.id, ARMS.learned, 100, (n) => (n < 3 ? 999 : 0), day(-2));
    const none = await read(publisher.privateKey);
    expect(none.compared).toEqual({ since: null, learnedRequests: 0, holdoutRequests: 0 });
    expect(none.revenue).toEqual({ perThousand: null, inAll: null, summary: expect.stringContaining("No session") });
    await part(publisher.id, ARMS.holdout, 10, (n) => (n < 15 ? 1 : 0));
    const few = await read(publisher.privateKey);
    expect(few.revenue).toEqual({
      perThousand: null,
      inAll: null,
      summary: expect.stringContaining("too little was paid"),
    });
  });

  it("comes from requests and hits as they are counted: each once, in the part of its session, less what is reversed", async () => {
    const { publisher, site, placement } = await makeInventory(h.db);
    const advertiser = await makeAdvertiser(h.db);
    const bids = { bidMicros: 1_000_000, publisherShareBps: 5_000, includeSites: [site.id] };
    const clicked = await makeOffer(h.db, advertiser.id, { pricing: "CPC", ...bids });
    const bought = await makeOffer(h.db, advertiser.id, { pricing: "CPA", ...bids });
    const hit = (offerId: string, sessionHash: string | null, decisionId = newId("decision")) =>
      makeHit({ offerId, sessionHash, decisionId, placementId: placement.id, arm: ARMS.holdout });
    // Of 64 parts, chance may pick that of a session.
    const taken = new Set(["one", "two"].map((session) => partOf(session, "")));
    let anonymous = newId("decision");
    while (taken.has(partOf(null, anonymous))) anonymous = newId("decision");
    const sale = newId("decision");
    const clicks = [
      hit(clicked.id, "one"),
      hit(clicked.id, "two"),
      hit(clicked.id, null, anonymous),
      hit(bought.id, "two", sale),
    ];
    await h.deliver([...clicks, ...clicks].map(message));
    const clickId = [sale, bought.id].map((id) => id.split("_")[1]).join("-");
    const token = advertiser.conversionSecret;
    const report = { token, body: { clickId, transactionId: "t-1" } };
    expect((await api(h, "POST", "/conversion", report)).status).toBe(200);
    const parts = () =>
      h.rows<Money>(
        `select part, gross_micros::int as gross, revenue_micros::int as revenue from daily_parts
        where publisher_id = $1 and arm = '2' and gross_micros > 0`,
        [publisher.id],
      );
    const counted = await parts();
    expect(counted.reduce((sum, { gross }) => sum + gross, 0)).toBe(4_000_000);
    expect(sums(counted, "two")).toMatchObject({ gross: 2_000_000, revenue: 1_000_000 });
    expect(sums(counted, null, anonymous)).toMatchObject({ gross: 1_000_000 });
    const reversal = { token, body: { transactionId: "t-1" } };
    for (let i = 0; i < 2; i++) expect((await api(h, "POST", "/conversion/reversal", reversal)).status).toBe(200);
    expect(sums(await parts(), "two")).toMatchObject({ gross: 1_000_000, revenue: 500_000 });
  });

  it.each([
    ["dateStart", "x", "dateStart: must be a day as YYYYMMDD"],
    ["dateStart", compact(day(1)), "dateEnd: must not be before dateStart"],
    ["dateStart", compact(before(day(), 181)), "dateStart: must be at most 180 days back"],
  ])("refuses %s %s", async (name, value, problem) => {
    const answer = await api(h, "GET", path({ [name]: value }), { token: SECRETS.ADMIN_TOKEN });
    expect(said(answer)).toEqual(invalid(problem));
  });
});

describe("a report by arm", () => {
  it("names arms, and has their rates and money for a thousand requests", async () => {
    const { publisher, placement } = await makeInventory(h.db);
    await count(placement.id, { offerId: "", arm: ARMS.learned, requests: 400, fills: 100 });
    await count(placement.id, { arm: ARMS.learned, clicks: 8, conversions: 2, impressions: 90, revenueMicros: 2e6 });
    await count(placement.id, { offerId: "", arm: ARMS.holdout, requests: 3 });
    await count(placement.id, { offerId: "", arm: ARMS.random, requests: 2 });
    const found = await rows(publisher.privateKey, { reportType: "ARM" });
    expect(found).toMatchObject([
      { arm: "learned", requests: 400, fillRate: 0.25, conversionRate: 0.25, revenue: 2, revenuePerThousand: 5 },
      { arm: "random", requests: 2, fillRate: 0, conversionRate: null, revenue: 0, revenuePerThousand: 0 },
      { arm: "holdout", requests: 3 },
    ]);
    for (const row of found) expect(row).not.toHaveProperty("grossPerThousand");
    const [ofOffers] = await rows(publisher.privateKey, { reportType: "OFFER", groupBy: "ARM" });
    expect(ofOffers).toMatchObject({ arm: "learned", conversionRate: 0.25 });
    for (const name of ["fillRate", "revenuePerThousand"]) expect(ofOffers).not.toHaveProperty(name);
  });
});
