import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { recordHits } from "../../../db/tracking/recording/events.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { estimate, forget, learn, makeOne, maturityOf } from "../../support/learning/learn.ts";
import { expectExactCounts, makeHit } from "../../support/tracking/hits.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
beforeEach(() => forget(h));
afterAll(() => h.close());

const CPA = { pricing: "CPA" } as const;
type One = Awaited<ReturnType<typeof makeOne>>;

/**
 * Records looks, each of its own customer, of whom some click and some of those buy; a null session cannot be told
 * apart.
 */
const record = async (at: One, { looks = 0, clicks = 0, conversions = 0 }, session?: string | null) => {
  for (let n = 0; n < looks; n++) {
    const decisionId = newId("decision");
    const hit = { ...at, decisionId, sessionHash: session === undefined ? decisionId : session };
    const sold = { kind: "conversion" as const, transactionId: newId("event"), amountMicros: null, currency: null };
    await recordHits(h.db, [
      makeHit({ ...hit, kind: "impression" }),
      ...(n < clicks ? [makeHit({ ...hit, kind: "click" })] : []),
      ...(n < conversions ? [{ ...makeHit(hit), ...sold }] : []),
    ]);
  }
};

/** Tells how many clicks taught where an offer was shown, and how often clicks converted there. */
const ratesOf = async (offerId: string) => {
  const [row] = await h.rows<{ clicks: number; conversion_rate: number }>(
    `select r.clicks, r.conversions / nullif(r.clicked, 0) as conversion_rate
    from rate_cells r join offers o using (serial) where o.id = $1 and r.placement_id <> '' and r.country <> ''`,
    [offerId],
  );
  return { ofClicks: row?.clicks, ofConversions: row?.conversion_rate };
};

describe("how often clicks convert is learned from all that count", () => {
  it("of customers who cannot be told apart, whose looks teach nothing of clicks", async () => {
    const one = await makeOne(h, CPA);
    await record(one, { looks: 10, clicks: 8, conversions: 2 }, null);
    await learn(h);
    expect(await ratesOf(one.offerId)).toEqual({ ofClicks: 0, ofConversions: expect.closeTo(2 / 8) as number });
  });

  it("of a customer's looks of a day, of which one teaches of clicks", async () => {
    const one = await makeOne(h, CPA);
    await record(one, { looks: 4, clicks: 4, conversions: 1 }, "one session");
    await learn(h);
    expect((await ratesOf(one.offerId)).ofConversions).toBeCloseTo(1 / 4);
  });

  it("once, however often more comes", async () => {
    const one = await makeOne(h, CPA);
    for (let round = 0; round < 3; round++) {
      await record(one, { looks: 2, clicks: 2, conversions: 1 }, null);
      await learn(h);
      await learn(h);
    }
    expect((await ratesOf(one.offerId)).ofConversions).toBeCloseTo(1 / 2);
    expect(await h.count("daily_counters where not is_learned and offer_id <> ''")).toBe(0);
    expect(await h.count("daily_counters where learned_untaught_clicks <> untaught_clicks")).toBe(0);
    await expectExactCounts(h);
  });
});

/** Puts clicks of past days into the counters, a number of which converted. */
const putClicks = (at: One, daysAgo: number, clicks: number, conversions = 0) =>
  h.rows(
    `insert into daily_counters
      (day, placement_id, offer_id, advertiser_id, country, impressions, clicks, inert_clicks, conversions)
    select (now() at time zone 'UTC')::date - $5::int, $1, $2, $3, 'US', $4::int, $4::int,
      case pricing when 'CPA' then 0 else $4::int end, $6::int from offers where id = $2`,
    [at.placementId, at.offerId, at.advertiserId, clicks, daysAgo, conversions],
  );
const weightNow = async () =>
  (
    await h.rows<{ weight: number }>(
      "select power(2, ((now() at time zone 'UTC')::date - date '1970-01-01' - origin) / half_life) as weight from rate_network",
    )
  )[0]?.weight;
const networkMaturity = async () =>
  (await h.rows<{ maturity: number }>("select maturity from rate_network"))[0]?.maturity ?? 0;

describe("which part of the conversions has come", () => {
  it("of all clicks is told by offers, too, that nobody clicked lately", async () => {
    const [old, young] = [await makeOne(h, CPA), await makeOne(h, CPA)];
    await putClicks(old, 40, 1_000, 50);
    await putClicks(young, 0, 10);
    await learn(h);
    await estimate(h);
    expect(await maturityOf(h, young.offerId)).toBeLessThan(0.5);
    expect(await networkMaturity()).toBeGreaterThan(0.95);
    expect(await networkMaturity()).toBeLessThan(1);
  });

  it("is told by clicks since an offer is paid for by conversions", async () => {
    const one = await makeOne(h, { pricing: "CPC" });
    for (const daysAgo of [29, 20, 10]) await putClicks(one, daysAgo, 100);
    await learn(h);
    await h.rows("update offers set pricing = 'CPA' where id = $1", [one.offerId]);
    await putClicks(one, 0, 10);
    await learn(h);
    await estimate(h);
    const [assumed] = await h.rows<{ first: number }>("select delays[1] as first from rate_network");
    expect(await maturityOf(h, one.offerId)).toBeCloseTo(assumed?.first ?? 0);
  });

  it("does not depend on how well clicks convert where the offer is shown", async () => {
    const [usual, better, both] = [await makeOne(h, CPA), await makeOne(h, CPA), await makeOne(h, CPA)];
    // Where six conversions come for each expected one, a click counts as six over all places.
    for (const { placementId } of [better, both]) {
      await h.rows(
        "insert into rate_places (placement_id, country, conversions, clicked) values ($1, 'US', 6e6 * $2, 1e6 * $2)",
        [placementId, await weightNow()],
      );
    }
    for (const one of [usual, better]) {
      await putClicks(one, 0, 100);
      await putClicks(one, 1, 100);
    }
    // As many of its old clicks were at a usual place.
    await putClicks({ ...both, placementId: usual.placementId }, 40, 100);
    await putClicks(both, 0, 100);
    await learn(h);
    await estimate(h);
    const [row] = await h.rows<{ delays: number[] }>("select delays from rate_network");
    const [ofToday = 0, ofYesterday = 0] = row?.delays ?? [];
    const expected = (ofToday + ofYesterday) / 2;
    expect(expected).toBeLessThan(0.4);
    expect(await maturityOf(h, usual.offerId)).toBeCloseTo(expected, 2);
    expect(await maturityOf(h, better.offerId)).toBeCloseTo(expected, 2);
    const old = 2 ** (-40 / 60);
    const ofBoth = (ofToday + old) / (1 + old);
    expect(await maturityOf(h, both.offerId)).toBeCloseTo(ofBoth, 2);
    // All clicks count by their places.
    const [few, many, some] = [200, 6 * 200, 6 * 100 + 100 * old] as const;
    const ofAll = ((few + many) * expected + some * ofBoth) / (few + many + some);
    expect(await networkMaturity()).toBeCloseTo(ofAll, 2);
  });

  it("is all for what is kept of earlier texts, and newer clicks lower it", async () => {
    const one = await makeOne(h, CPA);
    await putClicks(one, 40, 100, 5);
    await putClicks(one, 0, 25);
    await learn(h);
    await h.rows("update offers set creative = creative + 1 where id = $1", [one.offerId]);
    const [kept] = await h.rows<{ counted: number }>(
      "select counted from rate_offers where offer_id = $1 and clicked = counted",
      [one.offerId],
    );
    await estimate(h);
    expect(await maturityOf(h, one.offerId)).toBe(1);
    await h.rows(
      "update daily_counters set clicks = clicks + 40, impressions = impressions + 40, is_learned = false where day = $1",
      [new Date().toISOString().slice(0, 10)],
    );
    await learn(h);
    await estimate(h);
    const [row] = await h.rows<{ today: number }>("select delays[1] as today from rate_network");
    const ripe = Number(kept?.counted) + 40 * Number(row?.today);
    expect(await maturityOf(h, one.offerId)).toBeCloseTo(ripe / (Number(kept?.counted) + 40));
  });

  it("is all of it where nothing was clicked", async () => {
    await estimate(h);
    expect(await networkMaturity()).toBe(1);
  });
});
