import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findUnjudged, storeJudged } from "../../../db/learning/shifts.ts";
import { meanOf, type Belief } from "../../../functions/decision/learning/belief.ts";
import { paidRate } from "../../../functions/decision/learning/score.ts";
import { SHIFT_DAYS } from "../../../functions/decision/learning/shifts.ts";
import { makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { estimate, forget, learn, makeOne, toldOf } from "../../support/learning/learn.ts";
import { shifting } from "../../support/learning/shifting.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
beforeEach(() => forget(h));
afterAll(() => h.close());

type One = Awaited<ReturnType<typeof makeOne>>;

const { deliverAt, deliverThen, judge, makeShifted } = shifting(() => h);

const SUMS = ["clicks", "exposure", "conversions", "clicked"];

/** Returns all that is known of an offer and its advertiser, and the days by which shifts are judged. */
const knownOf = async ({ offerId, advertiserId }: One) => {
  const [offer] = await h.rows<Record<string, number>>(
    `select ${SUMS.join()}, counted, (now() at time zone 'UTC')::date - judged_on as judged from rate_offers
    where offer_id = $1`,
    [offerId],
  );
  const [advertiser] = await h.rows<Record<string, number>>(
    `select ${SUMS.join()} from rate_advertisers where advertiser_id = $1`,
    [advertiserId],
  );
  const cells = await h.rows<Record<string, number>>(
    `select ${SUMS.map((name) => `c.${name}`).join()}, c.anywhere from rate_cells c join offers o on o.serial = c.serial
    where o.id = $1 order by c.placement_id, c.country`,
    [offerId],
  );
  const days = await h.rows<{ clicks: number; taught: number; expected: number }>(
    "select clicks::int, taught, expected from rate_clicks where offer_id = $1 order by day",
    [offerId],
  );
  return { offer, advertiser, cells, days };
};

/** Returns sums of which only a part still counts. */
const keptOf = (part: number, sums: Record<string, number> = {}) =>
  Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, expect.closeTo(part * sum, 6)]));

describe("an offer whose click rate has shifted", () => {
  it("is known by less, in all that is known of it, and the less the more clicks come since", async () => {
    const one = await makeShifted({ pricing: "CPA" });
    const before = await knownOf(one);
    expect(before.offer?.["clicked"]).toBeGreaterThan(20);
    expect(before.cells).toHaveLength(3);
    expect(before.days).toMatchObject([
      { clicks: 30, taught: 0, expected: 0 },
      { clicks: 0, taught: 0, expected: expect.closeTo(20, 0) },
    ]);
    await judge();
    const after = await knownOf(one);
    const { counted = 0 } = before.offer ?? {};
    expect(after.offer).toEqual({ ...keptOf(0.3, before.offer), counted, judged: 0 });
    expect(after.advertiser).toEqual(keptOf(0.3, before.advertiser));
    expect(after.cells).toEqual(before.cells.map((cell) => keptOf(0.3, cell)));
    // Clicks by day still tell how old clicks are.
    expect(after.days).toEqual(before.days.map(({ clicks }) => ({ clicks, taught: 0, expected: 0 })));
  });

  it("is believed to be worth less than one that it was worth more than before", async () => {
    const one = await makeOne(h);
    const other = { ...one, offerId: (await makeOffer(h.db, one.advertiserId, { includeSites: [one.site.id] })).id };
    const deliverBoth = async (daysAgo: number, clicks: number, others: number) => {
      await deliverAt(one, daysAgo, 60, clicks);
      await deliverAt(other, daysAgo, 60, others);
      await learn(h);
    };
    await deliverBoth(2, 40, 12);
    await deliverBoth(1, 0, 12);
    const rateOf = async (of: One) => {
      const { index, learned } = await toldOf(h, of, "US");
      return meanOf(paidRate(index, learned) as Belief);
    };
    expect(await rateOf(one)).toBeGreaterThan(await rateOf(other));
    await judge();
    await deliverBoth(0, 0, 12);
    expect(await rateOf(one)).toBeLessThan(await rateOf(other));
  });

  it("is judged once a day", async () => {
    const one = await makeShifted();
    const before = await knownOf(one);
    await estimate(h);
    expect(await knownOf(one)).toEqual(before);
    await judge();
    const after = await knownOf(one);
    expect(after.offer?.["clicks"]).toBeLessThan(before.offer?.["clicks"] ?? 0);
    await estimate(h);
    expect(await knownOf(one)).toEqual(after);
  });

  it("is judged together with others, whose rates stay", async () => {
    const [one, second] = [await makeShifted(), await makeShifted()];
    const alike = await makeOne(h);
    await deliverThen(alike, 2, 60, 15);
    await deliverThen(alike, 1, 40, 10);
    const before = await knownOf(alike);
    const [first, next] = [await knownOf(one), await knownOf(second)];
    await h.rows("update offers set advertiser_id = $2 where id = $1", [second.offerId, one.advertiserId]);
    await h.rows(
      `update rate_advertisers r set clicks = r.clicks + b.clicks, exposure = r.exposure + b.exposure
      from rate_advertisers b where r.advertiser_id = $1 and b.advertiser_id = $2`,
      [one.advertiserId, second.advertiserId],
    );
    await judge();
    expect(await knownOf(alike)).toEqual({ ...before, offer: { ...before.offer, judged: 0 } });
    for (const [each, known] of [[one, first] as const, [second, next] as const]) {
      expect((await knownOf(each)).offer?.["clicks"]).toBeCloseTo(0.3 * (known.offer?.["clicks"] ?? 0), 6);
    }
    const both = (first.advertiser?.["clicks"] ?? 0) + (next.advertiser?.["clicks"] ?? 0);
    expect((await knownOf(one)).advertiser?.["clicks"]).toBeCloseTo(0.3 * both, 6);
  });

  it("is found among more offers than are judged at a time", async () => {
    const one = await makeShifted();
    const before = await knownOf(one);
    // Their ids come first.
    await h.rows(
      `with made as (
        insert into offers overriding user value
        select (jsonb_populate_record(o, jsonb_build_object('id', 'ofr_0' || n))).*
        from offers o, generate_series(1, 1000) n where o.id = $1 returning id, creative
      ), rated as (
        insert into rate_offers (offer_id, advertiser_click_rate, advertiser_conversion_rate)
        select id, 0.02, 0.05 from made
      )
      insert into rate_clicks (offer_id, day, clicks, taught, expected, creative)
      select id, (now() at time zone 'UTC')::date, 1, 1, 1, creative from made`,
      [one.offerId],
    );
    await judge();
    expect((await knownOf(one)).offer?.["clicks"]).toBeCloseTo(0.3 * (before.offer?.["clicks"] ?? 0), 6);
    await h.rows("delete from offers where id like 'ofr_0%' and length(id) < 10");
  });

  it("is not looked for among offers of which nothing was expected lately", async () => {
    const one = await makeShifted();
    await h.rows("update rate_offers set judged_on = judged_on - 1");
    const found = async (daysAgo: number) => {
      await h.rows(
        "update rate_clicks set day = (now() at time zone 'UTC')::date - $1::int where offer_id = $2 and expected > 0",
        [daysAgo, one.offerId],
      );
      return findUnjudged(h.db, SHIFT_DAYS, 10);
    };
    expect(await found(SHIFT_DAYS)).toEqual([]);
    expect(await found(SHIFT_DAYS - 1)).toMatchObject([{ offerId: one.offerId }]);
    await h.rows("update rate_clicks set creative = creative - 1");
    expect(await found(1)).toEqual([]);
  });

  it("tells it by its own clicks of each day beside those of all", async () => {
    const [one, other] = [await makeShifted({ pricing: "CPA" }), await makeShifted({ pricing: "CPA" })];
    await h.rows("update rate_offers set judged_on = judged_on - 1 where offer_id = $1", [one.offerId]);
    await h.rows("update rate_clicks set taught = 4, expected = 10 where offer_id = $1 and clicks = 0", [
      other.offerId,
    ]);
    await h.rows("update rate_clicks set taught = 3, expected = 20 where offer_id = $1 and clicks = 0", [one.offerId]);
    const { offer } = await knownOf(one);
    expect(await findUnjudged(h.db, SHIFT_DAYS, 10)).toEqual([
      {
        offerId: one.offerId,
        creative: 1,
        // What is learned today weighs 1.
        clicks: expect.closeTo(offer?.["clicks"] ?? 0, 6),
        days: [
          { taught: 0, expected: 0, all: { taught: 0, expected: 0 } },
          { taught: 3, expected: 20, all: { taught: 7, expected: 30 } },
        ],
      },
    ]);
  });

  it("is told apart from one that got another creative", async () => {
    const one = await makeShifted();
    await h.rows("update offers set title = 'Another' where id = $1", [one.offerId]);
    await deliverThen(one, 0, 6, 1);
    const before = await knownOf(one);
    await judge();
    expect((await knownOf(one)).offer?.["clicks"]).toBe(before.offer?.["clicks"]);
  });

  it("changes once, however many have found it, and not after its creative did", async () => {
    const one = await makeShifted();
    await h.rows("update rate_offers set judged_on = judged_on - 1");
    const [found] = await findUnjudged(h.db, SHIFT_DAYS, 10);
    const judged = { offerId: one.offerId, creative: found?.creative ?? 0, ratio: 0.4 };
    const before = await knownOf(one);
    await storeJudged(h.db, [{ ...judged, creative: judged.creative - 1 }], 0.5);
    expect(await knownOf(one)).toEqual(before);
    await Promise.all([1, 2, 3].map(() => storeJudged(h.db, [judged], 0.5)));
    expect((await knownOf(one)).offer?.["clicks"]).toBeCloseTo(0.5 * (before.offer?.["clicks"] ?? 0), 6);
  });

  it("keeps what a version of the Worker before adds to its days", async () => {
    const one = await makeShifted({ pricing: "CPA" });
    await h.rows(
      `insert into rate_clicks as r (offer_id, day, clicks) values ($1, (now() at time zone 'UTC')::date - 1, 5)
      on conflict (offer_id, day) do update set clicks = r.clicks + excluded.clicks`,
      [one.offerId],
    );
    expect((await knownOf(one)).days[1]).toMatchObject({ clicks: 5, expected: expect.closeTo(20, 0) });
  });
});
