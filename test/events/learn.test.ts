import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Expectation } from "../../functions/decision/explain.ts";
import { newId } from "../../db/core/ids.ts";
import { findUnlearned } from "../../db/learning/increases.ts";
import { addLearned } from "../../db/learning/rates.ts";
import { learned } from "../../functions/events/learn.ts";
import { buildDocuments } from "../../db/documents/build.ts";
import { documentKey } from "../../db/documents/keys.ts";
import type { CandidatesDocument } from "../../db/documents/types.ts";
import type { CellSums, RateSums } from "../../db/learning/sums.ts";
import { cellBelief, meanOf, placeFactor, USUAL_STRENGTHS } from "../../functions/decision/learning/belief.ts";
import { ownersRate } from "../../functions/decision/learning/bounds.ts";
import { knownOf, offersAt, placeName } from "../../functions/decision/learning/known.ts";
import { clickedOf, liftElsewhere } from "../../functions/decision/learning/lines.ts";
import { paidRate } from "../../functions/decision/learning/score.ts";
import { evidenceOf, NO_SUMS, weightOf } from "../../functions/decision/learning/sums.ts";
import { api, dataOf } from "../support/api.ts";
import { askOffers } from "../support/ask-offers.ts";
import { makeAdvertiser, makeCreative, makeInventory, makeOffer, makePlacement } from "../support/factories.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { makeRates } from "../support/learning/rates.ts";
import { SECRETS } from "../support/secrets.ts";
import { DAY, makeHit, message } from "../support/tracking/hits.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
// Each test begins with a network of which nothing is known.
beforeEach(async () => {
  await h.rows("truncate daily_counters, rate_cells, rate_offers, rate_advertisers, rate_places, rate_slots");
  await h.rows("update rate_network set clicks = 0, exposure = 0, conversions = 0, clicked = 0");
});
afterAll(() => h.close());

const learn = (on: Harness = h) => on.worker.scheduled({ cron: "* * * * *" });
const today = () => Math.floor(Date.now() / DAY);

type Sums = { clicks: number; exposure: number; conversions: number; clicked: number };
const NETWORK = "select clicks, exposure, conversions, clicked, half_life, origin from rate_network";
const network = async () =>
  (await h.rows<Sums & { half_life: number; origin: number }>(NETWORK))[0] as Sums & {
    half_life: number;
    origin: number;
  };
const cellOf = async (placementId: string, offerId: string) => {
  const rows = await h.rows<Sums & { lift: number }>(
    `select c.clicks, c.exposure, c.conversions, c.clicked, c.lift from rate_cells c join offers o on o.serial = c.serial
    and o.creative = c.creative where c.placement_id = $1 and o.id = $2 and c.country = 'US'`,
    [placementId, offerId],
  );
  return rows[0];
};

/** Builds a placement's list for a country, and tells which of its offers one is, and what it says was learned. */
const toldOf = async (placementId: string, country: string, offerId: string) => {
  const key = documentKey.candidates(placementId, country);
  const document = (await buildDocuments(h.db, [key])).get(key)?.value as CandidatesDocument;
  return { index: document.offers.findIndex(({ id }) => id === offerId), learned: document.learned };
};

const slots = () =>
  h.rows<{ place: number; exposure: number }>("select place, exposure from rate_slots order by place");

/** Makes an offer of an advertiser of its own, at a placement of its own. */
const makeOne = async (columns: Parameters<typeof makeOffer>[2] = {}) => {
  const inventory = await makeInventory(h.db);
  const advertiser = await makeAdvertiser(h.db);
  const offer = await makeOffer(h.db, advertiser.id, { includeSites: [inventory.site.id], ...columns });
  return { ...inventory, placementId: inventory.placement.id, offerId: offer.id, advertiserId: advertiser.id };
};

type Hit = Parameters<typeof makeHit>[0];
const deliver = (hits: Hit[]) => h.deliver(hits.map((hit) => message(makeHit(hit))));
/** Delivers impressions, and clicks of the first of them, each of a decision of its own. */
const deliverSome = async (
  at: { placementId: string; offerId: string },
  impressions: number,
  clicks: number,
  more: Hit = {},
) => {
  for (let i = 0; i < impressions; i += 50) {
    await deliver(
      Array.from({ length: Math.min(50, impressions - i) }, (_, j) => j + i).flatMap((n) => {
        const decisionId = newId("decision");
        const hit = { sessionHash: decisionId, ...more, ...at, decisionId };
        return n < clicks
          ? [
              { ...hit, kind: "impression" as const },
              { ...hit, kind: "click" as const },
            ]
          : [{ ...hit, kind: "impression" as const }];
      }),
    );
  }
};

describe("learning", () => {
  it("brings what customers like to the front, and explain says why", { timeout: 300_000 }, async () => {
    await h.rows("update offers set status = 'paused'");
    const inventory = await makeInventory(h.db);
    const placementId = inventory.placement.id;
    const offerIds: string[] = [];
    for (let i = 0; i < 3; i++) {
      const advertiser = await makeAdvertiser(h.db);
      // Made long ago, so that none has a newcomer's privilege.
      const made = { includeSites: [inventory.site.id], createdAt: new Date(Date.now() - 30 * DAY) };
      offerIds.push((await makeOffer(h.db, advertiser.id, made)).id);
    }
    const [, liked = ""] = offerIds;
    const asked = { publicKey: inventory.publisher.publicKey, placementId, "at.country": "US" };
    const firstOf = async (on: Harness, session: string) =>
      (await askOffers(on, { ...asked, sessionId: session })).ids[0];
    const before = await Promise.all(Array.from({ length: 100 }, (_, i) => firstOf(h, `before-${i}`)));
    for (const id of offerIds) expect(before.filter((first) => first === id).length).toBeGreaterThan(10);

    // Customers look at all three. One of four clicks what they like, and one of fifty the others.
    for (let i = 0; i < 200; i++) {
      const { offers } = await askOffers(h, { ...asked, sessionId: `customer-${i}` });
      await Promise.all(
        offers.map(async ({ bannerId, beaconUrl, clickUrl }, place) => {
          await h.fetch(beaconUrl, { method: "POST" });
          if (bannerId === liked ? i % 4 === 0 : i % 50 === place) await h.fetch(clickUrl, { redirect: "manual" });
        }),
      );
    }
    await h.until(
      () =>
        h.rows<{ n: number }>(
          "select coalesce(sum(impressions), 0)::int as n from daily_counters where placement_id = $1",
          [placementId],
        ),
      ([row]) => row?.n === 600,
    );
    await learn();
    expect((await cellOf(placementId, liked))?.clicks).toBeCloseTo(50);

    // Another location builds its documents now; this one would within minutes.
    const later = await startHarness({ postgresUrl: h.postgresUrl });
    try {
      const after = await Promise.all(Array.from({ length: 100 }, (_, i) => firstOf(later, `after-${i}`)));
      expect(after.filter((first) => first === liked).length).toBeGreaterThan(90);
      const answer = await api(later, "POST", "/api/v1/offers/explain", {
        token: SECRETS.ADMIN_TOKEN,
        body: { placementId, sessionId: "after-0", "at.orderid": "1", "at.country": "US" },
      });
      type Told = { offerId: string; rank: number | null; expectation: Expectation | null };
      const { offers } = dataOf<{ offers: Told[] }>(answer);
      const served = offers.filter(({ rank }) => rank !== null);
      expect(served.map(({ rank }) => rank)).toEqual([1, 2, 3]);
      expect(served[0]?.offerId).toBe(after[0]);
      const scores = served.map((offer) => offer.expectation?.score ?? 0);
      expect(scores.toSorted((a, b) => b - a)).toEqual(scores);
      expect(scores[2]).toBeGreaterThan(0);
      const expected = (id: string) => offers.find(({ offerId }) => offerId === id)?.expectation;
      expect(expected(liked)?.rate?.low).toBeGreaterThan(expected(offerIds[0] ?? "")?.rate?.high ?? 1);
      expect(expected(liked)?.exposure).toBeCloseTo(200, 0);
    } finally {
      await later.close();
    }
  });

  it("adds each count once, however often the cron runs, and what comes later to it", async () => {
    const one = await makeOne();
    const before = await network();
    await deliverSome(one, 40, 3);
    await learn();
    await learn();
    const first = await cellOf(one.placementId, one.offerId);
    expect(first).toMatchObject({ clicks: 3, exposure: 40, conversions: 0 });
    await deliverSome(one, 10, 1);
    await learn();
    expect(await cellOf(one.placementId, one.offerId)).toMatchObject({ clicks: 4, exposure: 50 });
    const after = await network();
    expect(after.clicks - before.clicks).toBeCloseTo(4);
    expect(await h.rows("select day from daily_counters where not is_learned and offer_id <> ''")).toEqual([]);
  });

  it("learns how often clicks convert from offers that are paid for by the conversion alone", async () => {
    const [clicked, converted] = [await makeOne({ pricing: "CPC" }), await makeOne({ pricing: "CPA" })];
    await deliverSome(clicked, 40, 30);
    await deliverSome(converted, 40, 3);
    await learn();
    expect(await cellOf(clicked.placementId, clicked.offerId)).toMatchObject({ clicks: 30, clicked: 0 });
    expect(await cellOf(converted.placementId, converted.offerId)).toMatchObject({ clicks: 3, clicked: 3 });
    const { clicks, clicked: told } = await network();
    expect([clicks, told]).toEqual([expect.closeTo(33), expect.closeTo(3)]);
  });

  it("adds what was found once, however many have found it", async () => {
    const one = await makeOne();
    await deliverSome(one, 20, 2);
    const found = await findUnlearned(h.db, 1_000);
    const added = await Promise.all([1, 2, 3].map(() => addLearned(h.db, found.rows, learned(found))));
    expect(added.filter(Boolean)).toEqual([true]);
    expect(await cellOf(one.placementId, one.offerId)).toMatchObject({ clicks: 2, exposure: 20 });
    expect((await network()).clicks).toBeCloseTo(2);
  });

  it("leaves what was counted since it was found to the next time", async () => {
    const one = await makeOne();
    await deliverSome(one, 5, 0);
    const found = await findUnlearned(h.db, 1_000);
    await deliverSome(one, 4, 1);
    expect(await addLearned(h.db, found.rows, learned(found))).toBe(true);
    expect(await cellOf(one.placementId, one.offerId)).toMatchObject({ clicks: 0, exposure: 5 });
    await learn();
    expect(await cellOf(one.placementId, one.offerId)).toMatchObject({ clicks: 1, exposure: 9 });
  });

  it("looks at nothing anew for hits that teach nothing", async () => {
    const one = await makeOne();
    await deliverSome(one, 2, 0);
    await learn();
    await deliver([{ ...one, kind: "close" as const }]);
    expect((await findUnlearned(h.db, 1_000)).rows).toEqual([]);
  });

  it("weighs a day half as much as one that is a half-life later", async () => {
    const one = await makeOne();
    const { half_life: halfLife, origin } = await network();
    const then = Date.now() - 3 * DAY;
    await deliverSome(one, 8, 0, { issuedAt: then, occurredAt: then });
    await learn();
    const weight = 2 ** ((today() - 3 - origin) / halfLife);
    expect((await cellOf(one.placementId, one.offerId))?.exposure).toBeCloseTo(8 * weight, 6);
  });

  it("learns nothing from a customer who loads the page again", async () => {
    const one = await makeOne();
    const sessionHash = newId("event");
    await deliverSome(one, 1, 1, { sessionHash });
    await learn();
    const known = await cellOf(one.placementId, one.offerId);
    expect(known).toMatchObject({ clicks: 1, exposure: 1 });
    await deliverSome(one, 60, 0, { sessionHash });
    await learn();
    expect(await cellOf(one.placementId, one.offerId)).toEqual(known);
    const shown = await h.rows("select sum(impressions)::int as n from daily_counters where offer_id = $1", [
      one.offerId,
    ]);
    expect(shown).toEqual([{ n: 61 }]);
    expect(await h.rows("select day from daily_counters where not is_learned and offer_id <> ''")).toEqual([]);
  });

  it("expects of a page what its own customers do, though all of them come from another", async () => {
    const first = await makeOne({ pricing: "CPA" });
    const second = { ...first, placementId: (await makePlacement(h.db, first.site.id)).id };
    for (let i = 0; i < 60; i++) {
      const look = (at: typeof first, kind: "impression" | "click", decisionId: string) => ({
        ...at,
        decisionId,
        kind,
        sessionHash: `customer ${i}`,
      });
      const [here, there] = [newId("decision"), newId("decision")];
      await deliver([
        look(first, "impression", here),
        look(second, "impression", there),
        ...(i % 10 === 0 ? [look(first, "click", here), look(second, "click", there)] : []),
      ]);
    }
    await learn();
    for (const at of [first, second]) {
      expect(await cellOf(at.placementId, at.offerId)).toMatchObject({ clicks: 6, exposure: 60 });
    }
  });

  it("learns of a creative from the look of a customer that teaches, and of none of their others", async () => {
    const one = await makeOne();
    const sessionHash = newId("event");
    await makeCreative(h.db, one.offerId);
    const decisionId = newId("decision");
    const look = { ...one, sessionHash, decisionId, creative: 2 };
    await deliver([
      { ...look, kind: "impression" as const },
      { ...look, kind: "click" as const },
    ]);
    await deliverSome(one, 20, 1, { sessionHash, creative: 2 });
    await deliverSome(one, 20, 1, { sessionHash, creative: 1 });
    await learn();
    const known = await h.rows(
      "select number, clicks::int, exposure::int from rate_creatives where offer_id = $1 and exposure + clicks > 0",
      [one.offerId],
    );
    expect(known).toEqual([{ number: 2, clicks: 1, exposure: 1 }]);
    expect(await h.rows("select day from creative_counters where not is_learned")).toEqual([]);
  });

  it("learns nothing from bots, test traffic, repeats and what is past a cap", async () => {
    const one = await makeOne({ lifetimeCap: 1 });
    await deliverSome(one, 1, 1);
    await learn();
    const known = await cellOf(one.placementId, one.offerId);
    expect(known).toMatchObject({ clicks: 1, exposure: 1 });
    for (const reason of ["bot", "test", "expired"] as const) await deliverSome(one, 2, 2, { reason });
    // Past its cap a click counts no more; neither does one that comes again.
    const decisionId = newId("decision");
    const click = { ...one, decisionId, kind: "click" as const };
    await deliver([{ ...click, kind: "impression" as const }, click, click, click]);
    await learn();
    expect(await cellOf(one.placementId, one.offerId)).toEqual(known);
    const outcomes = await h.rows<{ outcome: string }>(
      "select distinct outcome from daily_hits where offer_id = $1 order by 1",
      [one.offerId],
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(
      expect.arrayContaining(["bot", "test", "expired", "over_cap", "duplicate"]),
    );
  });

  it("keeps of a changed creative what was seen as no more than a guess", async () => {
    const one = await makeOne();
    await deliverSome(one, 100, 40);
    await learn();
    const offer = () =>
      h.rows<{ clicks: number; exposure: number; creative: number }>(
        "select r.clicks, r.exposure, o.creative from rate_offers r join offers o on o.id = r.offer_id where o.id = $1",
        [one.offerId],
      );
    expect(await offer()).toMatchObject([{ clicks: 40, creative: 1 }]);
    const change = async (body: object) =>
      (await api(h, "PUT", `/api/v1/offers/${one.offerId}`, { token: SECRETS.ADMIN_TOKEN, body })).status;
    expect(await change({ bidMicros: 600_000 })).toBe(200);
    expect(await offer()).toMatchObject([{ clicks: 40, creative: 1 }]);
    expect(await change({ title: "Another title" })).toBe(200);
    const [changed] = await offer();
    expect(changed?.creative).toBe(2);
    expect(changed?.clicks).toBeCloseTo(10);
    expect((changed?.exposure ?? 0) / (changed?.clicks ?? 1)).toBeCloseTo(2.5, 1);
    expect(await cellOf(one.placementId, one.offerId)).toBeUndefined();
    await deliverSome(one, 5, 0);
    await learn();
    expect(await cellOf(one.placementId, one.offerId)).toMatchObject({ clicks: 0, exposure: 5 });
  });

  it("gives a changed creative the place among candidates that it had before anything was seen of it there", async () => {
    const one = await makeOne();
    const { id: other } = await makeOffer(h.db, (await makeAdvertiser(h.db)).id, { includeSites: [one.site.id] });
    await deliverSome(one, 3, 0);
    await learn();
    await h.rows("update rate_cells set lift = 0.01");
    const isBehind = async () => {
      const [mine, others] = await Promise.all([one.offerId, other].map((id) => toldOf(one.placementId, "US", id)));
      return Number(mine?.index) > Number(others?.index);
    };
    expect(await isBehind()).toBe(true);
    const call = { token: SECRETS.ADMIN_TOKEN, body: { title: "Another title" } };
    expect((await api(h, "PUT", `/api/v1/offers/${one.offerId}`, call)).status).toBe(200);
    expect(await isBehind()).toBe(false);
  });

  it("keeps as little of a creative that nobody clicked", async () => {
    const one = await makeOne();
    await deliverSome(one, 2_000, 0);
    await learn();
    const offer = () =>
      h.rows<{ exposure: number; rate: number; bound_rate: number | null }>(
        "select exposure, advertiser_click_rate as rate, bound_rate from rate_offers where offer_id = $1",
        [one.offerId],
      );
    const [before] = await offer();
    expect(before?.exposure).toBeGreaterThan(1_500);
    const body = { header: "Another header" };
    const answer = await api(h, "PUT", `/api/v1/offers/${one.offerId}`, { token: SECRETS.ADMIN_TOKEN, body });
    expect(answer.status).toBe(200);
    const [after] = await offer();
    expect(after?.exposure).toBeCloseTo(10 / (after?.rate ?? 1), 3);
    expect(after?.bound_rate).toBeNull();
    const [advertiser] = await h.rows<{ exposure: number }>(
      "select exposure from rate_advertisers where advertiser_id = $1",
      [one.advertiserId],
    );
    expect(advertiser?.exposure).toBeCloseTo(after?.exposure ?? 0, 3);
  });

  it("carries over to where an offer was not shown yet how it does in the country and the placement", async () => {
    const one = await makeOne();
    const other = await makePlacement(h.db, one.site.id);
    await deliverSome(one, 200, 60, { country: "DE" });
    await deliverSome(one, 200, 4);
    await deliverSome({ ...one, placementId: other.id }, 200, 2);
    await learn();
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
      const { index, learned: numbers } = await toldOf(placementId, country, one.offerId);
      return numbers?.rates[index]?.at(-1) ?? Number.NaN;
    };
    // Nothing happened there, so nothing is left out of what happened around it.
    expect(await told(other.id, "DE")).toBeCloseTo(liftOf("", "DE") * liftOf(other.id, ""), 2);
    expect(await told(other.id, "FR")).toBeCloseTo(liftOf(other.id, ""), 2);
    // What happened in the United States at the other placement is left out of both of its lines.
    expect(await told(other.id, "US")).toBeGreaterThan(liftOf("", "US") * liftOf(other.id, "") + 0.1);
    const expected = async (placementId: string, country: string) => {
      const answer = await api(h, "POST", "/api/v1/offers/explain", {
        token: SECRETS.ADMIN_TOKEN,
        body: { placementId, sessionId: "s", "at.orderid": "1", "at.country": country },
      });
      const { offers } = dataOf<{ offers: { offerId: string; expectation: Expectation | null }[] }>(answer);
      return offers.find(({ offerId }) => offerId === one.offerId)?.expectation?.rate?.expected ?? Number.NaN;
    };
    expect(await expected(other.id, "DE")).toBeGreaterThan(1.5 * (await expected(other.id, "FR")));
  });

  it("lifts no offer that is paid by the impression, wherever customers click it more", async () => {
    const one = await makeOne({ pricing: "CPM" });
    await deliverSome(one, 200, 60, { country: "DE" });
    await deliverSome(one, 200, 2);
    await learn();
    const lifts = await h.rows<{ lift: number }>(
      "select c.lift from rate_cells c join offers o on o.serial = c.serial where o.id = $1 order by c.lift",
      [one.offerId],
    );
    expect(lifts.map(({ lift }) => lift)).toEqual([1, 1, 1, 1, 1]);
  });

  it("tells of an offer what the rules of learning make of its rows", async () => {
    const one = await makeOne();
    const other = await makePlacement(h.db, one.site.id);
    await deliverSome(one, 150, 9, { country: "DE" });
    await deliverSome(one, 100, 3);
    await deliverSome({ ...one, placementId: other.id }, 50, 4);
    await learn();
    const { index, learned: numbers } = await toldOf(one.placementId, "US", one.offerId);
    const { half_life: halfLife, origin } = await network();
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
      network: { ...(await network()) },
      strengths: [{ offer: strengths[0] ?? 0, cell: strengths[1] ?? 0 }, USUAL_STRENGTHS],
    });
    for (const cell of cells) offersAt(rates.cells, cell.placement_id, cell.country).set(one.offerId, cell);
    const known = knownOf(rates, weight);
    const place = known.place(one.placementId, "US");
    for (const [i, sum] of [place.clicks, place.exposure, place.conversions, place.clicked].entries())
      expect(numbers?.places[i]).toBeCloseTo(sum, 2);
    expect(numbers?.rates[index]?.at(-1)).toBeCloseTo(
      liftElsewhere(known, clickedOf(known, { ...one, pricing: "CPC" }), one.placementId, "US"),
      2,
    );
    const belief = cellBelief(
      evidenceOf(known.offer(one.offerId), 0),
      evidenceOf(known.cell(one.placementId, "US", one.offerId), 0),
      placeFactor(evidenceOf(known.place(one.placementId, "US"), 0)),
      ownersRate(known, one, 0),
      rates.strengths[0],
      liftElsewhere(known, clickedOf(known, { ...one, pricing: "CPC" }), one.placementId, "US"),
    );
    expect(meanOf(paidRate(index, numbers) ?? { shape: 0, exposure: 1 })).toBeCloseTo(meanOf(belief), 3);
  });

  it("tells of rates however small they are", async () => {
    const one = await makeOne({ pricing: "CPA" });
    await deliverSome(one, 20, 1);
    await learn();
    await h.rows(
      "update rate_offers set advertiser_click_rate = 2.71828182e-9, advertiser_conversion_rate = 0 where offer_id = $1",
      [one.offerId],
    );
    const { index, learned: numbers } = await toldOf(one.placementId, "US", one.offerId);
    expect(numbers?.rates[index]?.[0]).toBe(2.7183e-9);
    expect(paidRate(index, numbers)?.exposure).toBeGreaterThan(0);
    expect(paidRate(index, numbers)?.exposure).toBeLessThan(Infinity);
  });

  it("stays within bounds where shops report clicks and no impressions", async () => {
    const one = await makeOne();
    const at = { country: "IS" };
    await deliverSome(one, 10, 1, at);
    await learn();
    for (const [placementId, country] of [
      [one.placementId, "IS"],
      [one.placementId, ""],
      ["", "IS"],
    ])
      await h.rows("update rate_places set clicks = clicks + 90000 where placement_id = $1 and country = $2", [
        placementId,
        country,
      ]);
    const { index, learned: numbers } = await toldOf(one.placementId, "IS", one.offerId);
    const [count = 0, exposure = 0] = numbers?.places ?? [];
    expect(placeFactor({ count, exposure })).toBe(20);
    const { shape = NaN, exposure: views = NaN } = paidRate(index, numbers) ?? {};
    expect(shape).toBeGreaterThan(0);
    expect(shape / views).toBeGreaterThan(0);
    expect(shape / views).toBeLessThan(1);
  });

  it("goes on after more conversions were taken back than are still known", async () => {
    const one = await makeOne({ pricing: "CPA" });
    await deliverSome(one, 30, 30);
    await learn();
    await h.rows("update rate_offers set conversions = -12, clicked = -5 where offer_id = $1", [one.offerId]);
    await deliverSome(one, 3, 1);
    await learn();
    const cell = await cellOf(one.placementId, one.offerId);
    expect(cell?.exposure).toBe(33);
    expect(cell?.lift).toBeGreaterThan(0);
  });

  it("moves an offer among those that candidates are chosen from, and outdates nothing", async () => {
    const one = await makeOne();
    const rank = () =>
      h.rows<{ rank: string }>(
        "select r.rank from offer_ranks r join offers o on o.serial = r.serial where o.id = $1",
        [one.offerId],
      );
    const [before] = await rank();
    const changed = () => h.rows("select changed_at, updated_at from offers where id = $1", [one.offerId]);
    const untouched = await changed();
    await deliverSome(one, 300, 0);
    await learn();
    const [after] = await rank();
    expect(Number(after?.rank)).toBeGreaterThan(Number(before?.rank));
    expect(await changed()).toEqual(untouched);
    expect(await h.rows("select id from publish_outbox where document_key = 'network'")).toEqual([]);
    expect(await h.rows("select id from audit_log where resource_id = $1", [one.offerId])).toEqual([]);
  });

  it("lets an offer that nobody has seen, or has for long, hope for what others like it get", async () => {
    const known = await makeOne();
    const at = { includeSites: [known.site.id] };
    const [unseen, forgotten, dear] = await Promise.all(
      [{}, {}, { bidMicros: 2_000_000 }].map((more) => makeOffer(h.db, known.advertiserId, { ...at, ...more })),
    );
    await deliverSome(known, 300, 60);
    await deliverSome({ ...known, offerId: forgotten?.id ?? "" }, 300, 3);
    await learn();
    const of = async (id = "") => {
      const [row] = await h.rows<{ rank: number; bound: number | null }>(
        `select k.rank::float8 as rank, r.bound_rate as bound from offers o join offer_ranks k on k.serial = o.serial
        left join rate_offers r on r.offer_id = o.id where o.id = $1`,
        [id],
      );
      return { rank: 0, bound: 0, ...row };
    };
    const renew = async () => {
      await h.rows("update rate_network set estimated_at = now() - interval '2 hours'");
      await learn();
    };
    const before = await of(unseen?.id);
    expect(before.bound).toBeNull();
    const disliked = await of(forgotten?.id);
    await renew();
    const after = await of(unseen?.id);
    const best = await of(known.offerId);
    expect(after.bound).toBeGreaterThan(Math.max(0.04, Number(disliked.bound)));
    expect(after.rank).toBeLessThan(before.rank);
    expect(before.rank).toBeGreaterThan(best.rank);
    // It hopes for as much by the click as the other that nobody has seen, which bids twice as much or more.
    expect((await of(dear?.id)).bound).toBeCloseTo(Number(after.bound), 6);
    expect((await of(dear?.id)).rank).toBeLessThan(after.rank);
    // As if years had gone by.
    await h.rows("update rate_offers set clicks = clicks / 1000, exposure = exposure / 1000 where offer_id = $1", [
      forgotten?.id,
    ]);
    await renew();
    const again = await of(forgotten?.id);
    expect(again.bound).toBeGreaterThan(2 * Number(disliked.bound));
    expect(again.rank).toBeLessThan(disliked.rank);
    expect(await h.rows("select id from publish_outbox where document_key = 'network'")).toEqual([]);
  });

  it("learns what a place in an answer is worth from sessions that are served at random alone", async () => {
    const one = await makeOne();
    await deliverSome(one, 5, 0, { place: 2 });
    await learn();
    expect(await slots()).toEqual([]);
    await deliverSome(one, 5, 0, { place: 2, arm: "1" });
    await learn();
    // Of five impressions 0.1 clicks were expected.
    expect(await slots()).toEqual([{ place: 2, exposure: expect.closeTo(0.1, 2) as number }]);
  });

  it("goes on after offers are gone", async () => {
    const one = await makeOne();
    await deliverSome(one, 3, 0);
    await h.rows("delete from offers where id = $1", [one.offerId]);
    await learn();
    expect(await h.rows("select day from daily_counters where not is_learned and offer_id <> ''")).toEqual([]);
    expect(await h.rows("select * from rate_offers where offer_id = $1", [one.offerId])).toEqual([]);
  });
});

const estimateNow = async () => {
  await h.rows("update rate_network set estimated_at = now() - interval '61 minutes'");
  await learn();
};

describe("what is estimated each hour", () => {
  it("is which part of an offer's conversions has come, by the delays that were seen", async () => {
    const one = await makeOne({ pricing: "CPA" });
    // Of 400 conversions of clicks 40 days ago, half came on the same day, and the others after ten days.
    await h.rows(
      `insert into events (issued_on, id, kind, outcome, occurred_at, decision_id, placement_id, offer_id, advertiser_id, country,
        transaction_id, gross_micros, revenue_micros)
      select (now() at time zone 'UTC')::date - 40, kind || n, kind, 'counted',
        now() - interval '40 days' + case when kind = 'conversion' and n % 2 = 0 then interval '10 days' else interval '0' end
          + interval '1 minute' * (kind = 'conversion')::int,
        'd' || n, $1, $2, $3, 'US', case when kind = 'conversion' then 't' || n end, 0, 0
      from generate_series(1, 400) n, unnest(array['click', 'conversion']) kind`,
      [one.placementId, one.offerId, one.advertiserId],
    );
    await deliverSome(one, 20, 20);
    await learn();
    const maturity = async () =>
      (await h.rows<{ maturity: number }>("select maturity from rate_offers where offer_id = $1", [one.offerId]))[0]
        ?.maturity;
    const delays = () => h.rows<{ delays: number[] }>("select delays from rate_network");
    const [assumed] = await delays();
    expect(assumed?.delays[0]).toBeLessThan(0.9);
    expect(await maturity()).toBe(assumed?.delays[0]);
    await estimateNow();
    const [row] = await delays();
    expect(row?.delays).toHaveLength(31);
    expect(row?.delays[5]).toBeGreaterThan(0.45);
    expect(row?.delays[5]).toBeLessThan(0.6);
    expect(row?.delays[30]).toBe(1);
    // All its clicks are of today, so that about half of their conversions are still to come.
    expect(await maturity()).toBeCloseTo(row?.delays[0] ?? 0, 5);
  });

  it("is how much rates tell of each other, once enough happened to tell", async () => {
    const strengths = async () =>
      (await h.rows<{ click_strengths: number[] }>("select click_strengths from rate_network"))[0]?.click_strengths;
    await h.rows("update rate_network set click_strengths = '{10,20}'");
    await estimateNow();
    expect(await strengths()).toEqual([10, 20]);
    // Thirty offers of one advertiser, whose rates could not differ more: half are clicked always, half never.
    const { placementId, advertiserId } = await makeOne();
    for (let i = 0; i < 30; i++) {
      const offerId = (await makeOffer(h.db, advertiserId)).id;
      await deliverSome({ placementId, offerId }, 20, i % 2 === 0 ? 20 : 0);
    }
    await learn();
    await estimateNow();
    expect((await strengths())?.[0]).toBeLessThan(3);
  });

  it("does not move what is known when the half-life changes", async () => {
    const one = await makeOne();
    await h.rows(
      "update rate_network set half_life = 60, origin = (now() at time zone 'UTC')::date - date '1970-01-01' - 30",
    );
    await deliverSome(one, 10, 2);
    await learn();
    const weightNow = `power(2::float8, ((now() at time zone 'UTC')::date - date '1970-01-01' - n.origin) / n.half_life)`;
    const faded = () =>
      h.rows<{ clicks: number; half_life: number }>(
        `select r.clicks / ${weightNow} as clicks, n.half_life from rate_offers r, rate_network n where r.offer_id = $1`,
        [one.offerId],
      );
    expect(await faded()).toEqual([{ clicks: expect.closeTo(2) as number, half_life: 60 }]);
    const other = await startHarness({ postgresUrl: h.postgresUrl, vars: { HALF_LIFE_DAYS: "7" } });
    try {
      await learn(other);
      expect(await faded()).toEqual([{ clicks: expect.closeTo(2) as number, half_life: 7 }]);
    } finally {
      await other.close();
    }
    await learn();
  });
});
