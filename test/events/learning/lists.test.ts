import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CellSums, RateSums } from "../../../db/learning/sums.ts";
import { cellBelief, meanOf, placeFactor, USUAL_STRENGTHS } from "../../../functions/decision/learning/belief.ts";
import { ownersRate } from "../../../functions/decision/learning/bounds.ts";
import { knownOf, offersAt, placeName } from "../../../functions/decision/learning/known.ts";
import { clickedOf, liftElsewhere } from "../../../functions/decision/learning/lines.ts";
import { paidRate } from "../../../functions/decision/learning/score.ts";
import { evidenceOf, NO_SUMS, weightOf } from "../../../functions/decision/learning/sums.ts";
import { explaining } from "../../support/explaining.ts";
import { makePlacement } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { deliverSome, forget, learn, makeOne, networkOf, today, toldOf } from "../../support/learning/learn.ts";
import { makeRates } from "../../support/learning/rates.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
beforeEach(() => forget(h));
afterAll(() => h.close());

const { explain } = explaining(() => h);

describe("learning", () => {
  it("carries over to where an offer was not shown yet how it does in the country and the placement", async () => {
    const one = await makeOne(h);
    const other = await makePlacement(h.db, one.site.id);
    await deliverSome(h, one, 200, 60, { country: "DE" });
    await deliverSome(h, one, 200, 4);
    await deliverSome(h, { ...one, placementId: other.id }, 200, 2);
    await learn(h);
    const lifts = await h.rows<{ placement_id: string; country: string; lift: number }>(
      `select c.placement_id, c.country, c.lift from rate_cells c join offers o on o.serial = c.serial
      where o.id = $1 and (c.placement_id = '' or c.country = '') order by c.placement_id, c.country`,
      [one.offerId],
    );
    const liftOf = (placementId: string, country: string) =>
      lifts.find((row) => row.placement_id === placementId && row.country === country)?.lift ?? Number.NaN;
    expect(lifts).toHaveLength(4);
    expect(liftOf("", "DE")).toBeGreaterThan(1.3);
    expect(liftOf(other.id, "")).toBeLessThan(0.8);

    const told = async (placementId: string, country: string): Promise<number> => {
      const { index, learned: numbers } = await toldOf(h, { ...one, placementId }, country);
      return numbers?.rates[index]?.at(-1) ?? Number.NaN;
    };
    // Nothing happened there, so nothing has to be left out of its lines.
    expect(await told(other.id, "DE")).toBeCloseTo(liftOf("", "DE") * liftOf(other.id, ""), 2);
    expect(await told(other.id, "FR")).toBeCloseTo(liftOf(other.id, ""), 2);
    // What happened in the United States at the other placement is left out of both of its lines.
    expect(await told(other.id, "US")).toBeGreaterThan(liftOf("", "US") * liftOf(other.id, "") + 0.1);
    const expected = async (placementId: string, country: string) => {
      const { offers } = await explain(placementId, { "at.country": country });
      return offers.find(({ offerId }) => offerId === one.offerId)?.expectation?.rate?.expected ?? Number.NaN;
    };
    expect(await expected(other.id, "DE")).toBeGreaterThan(1.5 * (await expected(other.id, "FR")));
  });

  it("lifts no offer that is paid by the impression, wherever customers click it more", async () => {
    const one = await makeOne(h, { pricing: "CPM" });
    await deliverSome(h, one, 200, 60, { country: "DE" });
    await deliverSome(h, one, 200, 2);
    await learn(h);
    const lifts = await h.rows<{ lift: number }>(
      "select c.lift from rate_cells c join offers o on o.serial = c.serial where o.id = $1 order by c.lift",
      [one.offerId],
    );
    expect(lifts.map(({ lift }) => lift)).toEqual([1, 1, 1, 1, 1]);
  });

  it("tells of an offer what the rules of learning make of its rows", async () => {
    const one = await makeOne(h);
    const other = await makePlacement(h.db, one.site.id);
    await deliverSome(h, one, 150, 9, { country: "DE" });
    await deliverSome(h, one, 100, 3);
    await deliverSome(h, { ...one, placementId: other.id }, 50, 4);
    await learn(h);
    const { index, learned: numbers } = await toldOf(h, one, "US");
    const { half_life: halfLife, origin } = await networkOf(h);
    const weight = weightOf(today(), { halfLife, origin });
    const cells = await h.rows<CellSums & { placement_id: string; country: string }>(
      `select c.* from rate_cells c join offers o on o.serial = c.serial
      where o.id = $1 order by c.placement_id, c.country`,
      [one.offerId],
    );
    const [offer] = await h.rows<RateSums>("select * from rate_offers where offer_id = $1", [one.offerId]);
    const [advertiser] = await h.rows<RateSums>("select * from rate_advertisers where advertiser_id = $1", [
      one.advertiserId,
    ]);
    const places = await h.rows<RateSums & { placement_id: string; country: string }>(
      "select * from rate_places order by placement_id, country",
    );
    const [{ click_strengths: strengths } = { click_strengths: [] }] = await h.rows<{ click_strengths: number[] }>(
      "select click_strengths from rate_network",
    );
    const rates = makeRates({
      offers: new Map([[one.offerId, offer ?? NO_SUMS]]),
      advertisers: new Map([[one.advertiserId, advertiser ?? NO_SUMS]]),
      places: new Map(places.map((place) => [placeName(place.placement_id, place.country), place])),
      network: { ...(await networkOf(h)) },
      strengths: [{ offer: strengths[0] ?? 0, cell: strengths[1] ?? 0 }, USUAL_STRENGTHS],
    });
    for (const cell of cells) offersAt(rates.cells, cell.placement_id, cell.country).set(one.offerId, cell);
    const known = knownOf(rates, weight);
    const place = known.place(one.placementId, "US");
    for (const [i, sum] of [place.clicks, place.exposure, place.conversions, place.clicked].entries())
      expect(numbers?.places[i]).toBeCloseTo(sum, 2);
    const cell = known.cell(one.placementId, "US", one.offerId);
    const lift = liftElsewhere(known, clickedOf(known, { ...one, pricing: "CPC" }), one.placementId, "US", cell);
    expect(numbers?.rates[index]?.at(-1)).toBeCloseTo(lift, 2);
    const belief = cellBelief(
      evidenceOf(known.offer(one.offerId), 0),
      evidenceOf(cell, 0),
      placeFactor(evidenceOf(known.place(one.placementId, "US"), 0)),
      ownersRate(known, one, 0),
      rates.strengths[0],
      lift,
    );
    expect(meanOf(paidRate(index, numbers) ?? { shape: 0, exposure: 1 })).toBeCloseTo(meanOf(belief), 3);
  });

  it("tells of rates however small they are", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    await deliverSome(h, one, 20, 1);
    await learn(h);
    await h.rows(
      "update rate_offers set advertiser_click_rate = 2.71828182e-9, advertiser_conversion_rate = 0 where offer_id = $1",
      [one.offerId],
    );
    const { index, learned: numbers } = await toldOf(h, one, "US");
    expect(numbers?.rates[index]?.[0]).toBe(2.7183e-9);
    expect(paidRate(index, numbers)?.exposure).toBeGreaterThan(0);
    expect(paidRate(index, numbers)?.exposure).toBeLessThan(Infinity);
  });

  it("stays within bounds where shops report clicks and no impressions", async () => {
    const one = await makeOne(h);
    const at = { country: "IS" };
    await deliverSome(h, one, 10, 1, at);
    await learn(h);
    for (const [placementId, country] of [
      [one.placementId, "IS"],
      [one.placementId, ""],
      ["", "IS"],
    ])
      await h.rows("update rate_places set clicks = clicks + 90000 where placement_id = $1 and country = $2", [
        placementId,
        country,
      ]);
    const { index, learned: numbers } = await toldOf(h, one, "IS");
    const [count = 0, exposure = 0] = numbers?.places ?? [];
    expect(placeFactor({ count, exposure })).toBe(20);
    const { shape = NaN, exposure: views = NaN } = paidRate(index, numbers) ?? {};
    expect(shape).toBeGreaterThan(0);
    expect(shape / views).toBeGreaterThan(0);
    expect(shape / views).toBeLessThan(1);
  });
});
