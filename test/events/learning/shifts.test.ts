import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findUnjudged, storeJudged } from "../../../db/learning/shifts.ts";
import { SHIFT_DAYS } from "../../../functions/decision/learning/shifts.ts";
import { meanOf, type Belief } from "../../../functions/decision/learning/belief.ts";
import { paidRate } from "../../../functions/decision/learning/score.ts";
import { makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { deliverSome, estimate, forget, learn, makeOne, toldOf, today } from "../../support/learning/learn.ts";
import { DAY } from "../../support/tracking/hits.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
beforeEach(() => forget(h));
afterAll(() => h.close());

type One = Awaited<ReturnType<typeof makeOne>>;

/** Lets an offer be shown some days ago, and clicked. */
const deliverThen = (one: One, daysAgo: number, impressions: number, clicks: number) => {
  const then = Date.now() - daysAgo * DAY;
  return deliverSome(h, one, impressions, clicks, { issuedAt: then, occurredAt: then });
};

/** Lets all offers be judged anew, as on the next day. */
const judge = async () => {
  await h.rows("update rate_offers set judged_on = (now() at time zone 'UTC')::date - 1");
  await estimate(h);
};

/** Makes an offer that half of the customers clicked two days ago, and nobody did yesterday. */
const makeShifted = async () => {
  const one = await makeOne(h);
  await deliverThen(one, 2, 60, 30);
  await deliverThen(one, 1, 40, 0);
  await learn(h);
  return one;
};

type Sums = { clicks: number; exposure: number };

const offerOf = async ({ offerId }: One) =>
  (
    await h.rows<Sums & { judged: number }>(
      `select clicks, exposure, (now() at time zone 'UTC')::date - judged_on as judged from rate_offers
      where offer_id = $1`,
      [offerId],
    )
  )[0];

const advertiserOf = async ({ advertiserId }: One) =>
  (await h.rows<Sums>("select clicks, exposure from rate_advertisers where advertiser_id = $1", [advertiserId]))[0];

const cellsOf = ({ offerId }: One) =>
  h.rows<Sums & { anywhere: number }>(
    `select c.clicks, c.exposure, c.anywhere from rate_cells c join offers o on o.serial = c.serial where o.id = $1
    order by c.placement_id, c.country`,
    [offerId],
  );

const daysOf = ({ offerId }: One) =>
  h.rows(
    `select (now() at time zone 'UTC')::date - day as ago, clicks::int, taught, exposure from rate_clicks
    where offer_id = $1 order by day`,
    [offerId],
  );

const weightOf = async (daysAgo: number): Promise<number> => {
  const [row] = await h.rows<{ half_life: number; origin: number }>("select half_life, origin from rate_network");
  return 2 ** ((today() - daysAgo - (row?.origin ?? 0)) / (row?.half_life ?? 1));
};

describe("an offer whose click rate has shifted", () => {
  it("is believed to be worth less than one that it was worth more than before", async () => {
    const one = await makeOne(h);
    const other = { ...one, offerId: (await makeOffer(h.db, one.advertiserId, { includeSites: [one.site.id] })).id };
    await deliverThen(one, 2, 100, 50);
    await deliverThen(other, 2, 100, 25);
    await deliverThen(one, 1, 50, 0);
    await deliverThen(other, 1, 50, 12);
    await learn(h);
    const rateOf = async (of: One) => {
      const { index, learned } = await toldOf(h, of, "US");
      return meanOf(paidRate(index, learned) as Belief);
    };
    expect(await rateOf(one)).toBeGreaterThan(await rateOf(other));
    await judge();
    expect(await rateOf(one)).toBeLessThan(await rateOf(other));
  });

  it("is known by what came since then, and by two fifths of what came before", async () => {
    const one = await makeShifted();
    const [then, since] = [await weightOf(2), await weightOf(1)];
    expect(await offerOf(one)).toMatchObject({ judged: 0 });
    expect((await offerOf(one))?.clicks).toBeCloseTo(30 * then, 6);
    await judge();
    const offer = await offerOf(one);
    expect(offer?.judged).toBe(0);
    expect(offer?.clicks).toBeCloseTo(0.4 * 30 * then, 6);
    expect(offer?.exposure).toBeCloseTo(0.4 * 60 * then + 40 * since, 6);
    expect(await advertiserOf(one)).toEqual({ clicks: offer?.clicks, exposure: offer?.exposure });
    const cells = await cellsOf(one);
    expect(cells).toHaveLength(3);
    for (const cell of cells) {
      expect(cell.clicks).toBeCloseTo(offer?.clicks ?? 0, 6);
      expect(cell.exposure).toBeCloseTo(offer?.exposure ?? 0, 6);
      expect(cell.anywhere).toBeCloseTo(offer?.exposure ?? 0, 6);
    }
    expect(await daysOf(one)).toEqual([
      { ago: 2, clicks: 30, taught: 0, exposure: 0 },
      { ago: 1, clicks: 0, taught: 0, exposure: expect.closeTo(40, 6) },
    ]);
  });

  it("is judged once a day, and again on the next", async () => {
    const one = await makeShifted();
    await estimate(h);
    const first = await offerOf(one);
    expect(first?.clicks).toBeCloseTo(30 * (await weightOf(2)), 6);
    await judge();
    const second = await offerOf(one);
    await estimate(h);
    expect(await offerOf(one)).toEqual(second);
    await deliverThen(one, 0, 40, 0);
    await learn(h);
    await judge();
    expect((await offerOf(one))?.clicks).toBeCloseTo(0.4 * (second?.clicks ?? 0), 6);
  });

  it("is judged together with others, whose rates stay", async () => {
    const [one, other] = [await makeShifted(), await makeOne(h)];
    await deliverThen(other, 2, 40, 8);
    await deliverThen(other, 1, 40, 9);
    await learn(h);
    const [before, cells] = [await offerOf(other), await cellsOf(other)];
    await judge();
    expect(await offerOf(other)).toEqual({ ...before, judged: 0 });
    expect(await cellsOf(other)).toEqual(cells);
    expect((await offerOf(one))?.clicks).toBeCloseTo(0.4 * 30 * (await weightOf(2)), 6);
  });

  it("is not looked for among offers that were not shown lately", async () => {
    const one = await makeOne(h);
    await deliverThen(one, 1, 20, 5);
    await learn(h);
    await h.rows("update rate_offers set judged_on = judged_on - 1");
    const found = async (daysAgo: number) => {
      await h.rows("update rate_clicks set day = (now() at time zone 'UTC')::date - $1::int", [daysAgo]);
      return (await findUnjudged(h.db, SHIFT_DAYS, 10)).offers;
    };
    expect(await found(SHIFT_DAYS)).toEqual([]);
    expect(await found(SHIFT_DAYS - 1)).toMatchObject([
      { offerId: one.offerId, days: [{ day: today() - SHIFT_DAYS + 1, taught: 5, exposure: expect.closeTo(20, 6) }] },
    ]);
    await h.rows("update rate_clicks set exposure = 0");
    expect(await found(1)).toEqual([]);
  });

  it("is told apart from one that got another creative", async () => {
    const one = await makeShifted();
    await h.rows("update offers set title = 'Another' where id = $1", [one.offerId]);
    await deliverThen(one, 0, 6, 1);
    await learn(h);
    await h.rows("update rate_offers set judged_on = judged_on - 1");
    const { offers } = await findUnjudged(h.db, SHIFT_DAYS, 10);
    expect(offers).toMatchObject([{ days: [{ day: today(), taught: 1 }] }]);
    const before = await offerOf(one);
    await judge();
    expect(await offerOf(one)).toEqual({ ...before, judged: 0 });
  });

  it("changes once, however many have found it, and not after its creative did", async () => {
    const one = await makeShifted();
    await h.rows("update rate_offers set judged_on = judged_on - 1");
    const [found] = (await findUnjudged(h.db, SHIFT_DAYS, 10)).offers;
    const judged = {
      offerId: one.offerId,
      creative: found?.creative ?? 0,
      since: today() - 1,
      clicks: 0.5,
      exposure: 0.5,
    };
    const before = await offerOf(one);
    await storeJudged(h.db, [{ ...judged, creative: judged.creative - 1 }]);
    expect(await offerOf(one)).toEqual(before);
    await Promise.all([1, 2, 3].map(() => storeJudged(h.db, [judged])));
    expect((await offerOf(one))?.clicks).toBeCloseTo(0.5 * (before?.clicks ?? 0), 6);
  });
});
