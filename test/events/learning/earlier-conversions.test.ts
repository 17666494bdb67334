import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { findEstimated, findSample, storeEstimates, type Estimates } from "../../../db/learning/estimates.ts";
import { findUnlearned } from "../../../db/learning/increases.ts";
import { addLearned } from "../../../db/learning/rates.ts";
import { DELAY_DAYS } from "../../../functions/decision/learning/delays.ts";
import { learned } from "../../../functions/events/learning/learn.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { converting, decisionsOf, knowledge } from "../../support/learning/converting.ts";
import { estimate, forget, makeOne, maturityOf, networkOf } from "../../support/learning/learn.ts";
import { makeSplitOffer } from "../../support/learning/split-offer.ts";
import { MINUTE } from "../../support/tracking/hits.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
beforeEach(() => forget(h));
afterAll(() => h.close());

const { countClicks, countConversions, click, buy, takeBack, change, knownOf, rateOf, expectAllLearned } = converting(
  () => h,
);

const knownOfCreative = async (offerId: string, number: number) => {
  const [row] = await h.rows<{ conversions: number }>(
    "select conversions from rate_creatives where offer_id = $1 and number = $2",
    [offerId, number],
  );
  return row?.conversions;
};

const sumsOf = (offerId: string) =>
  h.rows<{ conversions: number; clicked: number }>("select conversions, clicked from rate_offers where offer_id = $1", [
    offerId,
  ]);

describe("conversions of clicks from before a change", () => {
  it("tell nothing of new texts", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    const before = decisionsOf(12, MINUTE);
    await click(one, before);
    await change(one.offerId, { title: "Another title" });
    await buy(one, before);
    const after = decisionsOf(5);
    await click(one, after);
    await buy(one, after.slice(0, 3));
    expect(await knownOf(one.offerId)).toEqual(knowledge(5, 3));
    await expectAllLearned();
  });

  it("tell nothing when they are taken back", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    const before = decisionsOf(5, MINUTE);
    await click(one, before);
    await change(one.offerId, { title: "Another title" });
    await buy(one, before);
    const after = decisionsOf(3);
    await click(one, after);
    await buy(one, after);
    await takeBack(one, [...before.slice(0, 2), ...after.slice(0, 1)]);
    expect(await knownOf(one.offerId)).toEqual(knowledge(3, 2));
    await takeBack(one, [...before.slice(2), ...after.slice(1)]);
    expect(await knownOf(one.offerId)).toEqual(knowledge(3, 0));
    await expectAllLearned();
  });

  it("that taught stay the guess that is kept of them, even when they are taken back", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    const before = decisionsOf(8, MINUTE);
    await click(one, before);
    await buy(one, before);
    await change(one.offerId, { title: "Another title" });
    const kept = await sumsOf(one.offerId);
    await takeBack(one, before);
    expect(await sumsOf(one.offerId)).toEqual(kept);
    await expectAllLearned();
  });

  it("tell nothing if both were counted and not learned yet, or are taken back before that", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    const before = decisionsOf(6, MINUTE);
    await countClicks(one, before);
    await countConversions(one, before);
    await change(one.offerId, { title: "Another title" });
    await takeBack(one, before.slice(0, 2));
    const after = decisionsOf(3);
    await click(one, after);
    await buy(one, after.slice(0, 1));
    expect(await knownOf(one.offerId)).toEqual(knowledge(3, 1));
    await expectAllLearned();
  });

  it("tell nothing either if they were about to be learned", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    const before = decisionsOf(6, MINUTE);
    await click(one, before);
    await countConversions(one, before);
    const found = await findUnlearned(h.db, 1_000);
    await change(one.offerId, { title: "Another title" });
    expect(await addLearned(h.db, found.rows, learned(found))).toBe(false);
    await click(one, decisionsOf(3));
    expect(await knownOf(one.offerId)).toEqual(knowledge(3, 0));
  });

  it("are not expected of clicks on earlier texts that come late", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    await change(one.offerId, { title: "Another title" });
    const [before, after] = [decisionsOf(6, MINUTE), decisionsOf(3)];
    await click(one, [...before, ...after]);
    await buy(one, [...before, ...after]);
    expect(await knownOf(one.offerId)).toEqual(knowledge(3, 3));
    await expectAllLearned();
  });

  it("tell of an offer as before where only its bid changed", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    const before = decisionsOf(4, MINUTE);
    await click(one, before);
    await change(one.offerId, { bidMicros: 600_000 });
    await buy(one, before);
    expect(await knownOf(one.offerId)).toEqual(knowledge(4, 4));
  });

  it("tell of a further creative no more, but still of its offer", async () => {
    const { id: offerId, creative, placement } = await makeSplitOffer(h, { pricing: "CPA", creativeSplit: "LEARNED" });
    const at = { offerId, placementId: placement.id, creative: 2 };
    const before = decisionsOf(3, MINUTE);
    await click(at, before);
    await change(creative.replace("/offers/", ""), { title: "A title of its own" });
    await buy(at, before);
    const after = decisionsOf(2);
    await click(at, after);
    await buy(at, after);
    expect(await knownOfCreative(offerId, 2)).toBeCloseTo(2);
    expect((await knownOf(offerId))?.offer).toBeCloseTo(5);
    await expectAllLearned();
  });

  it("tell nothing of an offer's own creative where it has several", async () => {
    const { id: offerId, placement } = await makeSplitOffer(h, { pricing: "CPA", creativeSplit: "LEARNED" });
    const at = { offerId, placementId: placement.id, creative: 1 };
    const before = decisionsOf(3, MINUTE);
    await click(at, before);
    await change(offerId, { title: "Another title" });
    await buy(at, before);
    const after = decisionsOf(2);
    await click(at, after);
    await buy(at, after);
    expect(await knownOfCreative(offerId, 1)).toBeCloseTo(2);
    await expectAllLearned();
  });

  it("do not lower the rate of the clicks that are kept, however often the texts change", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    const before = decisionsOf(40, MINUTE);
    await click(one, before);
    await buy(one, before.slice(0, 4));
    await estimate(h);
    const rate = await rateOf(one.offerId);
    expect(rate).toBeGreaterThan(4 / 40);
    for (const title of ["Another title", "A third title"]) {
      await change(one.offerId, { title });
      expect(await rateOf(one.offerId)).toBeCloseTo(rate);
    }
    await estimate(h);
    expect(await rateOf(one.offerId)).toBeCloseTo(rate);
    const [kept] = await sumsOf(one.offerId);
    await click(one, decisionsOf(30));
    const [row] = await h.rows<{ today: number }>("select delays[1] as today from rate_network");
    const [grown] = await sumsOf(one.offerId);
    const added = Number(grown?.clicked) - Number(kept?.clicked);
    expect(added).toBeGreaterThan(20);
    const lower = Number(kept?.conversions) / (Number(kept?.clicked) + added * Number(row?.today));
    expect(await rateOf(one.offerId)).toBeCloseTo(lower);
    await change(one.offerId, { title: "A fourth title" });
    expect(await rateOf(one.offerId)).toBeCloseTo(lower);
    expect(await h.count("rate_advertisers where clicked < -1e-9 or conversions < -1e-9")).toBe(0);
  });

  it("are not waited for if the change comes while that is estimated", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    await click(one, decisionsOf(60, MINUTE));
    await estimate(h);
    const maturity = Number(await maturityOf(h, one.offerId));
    const { clicks } = await findSample(h.db, DELAY_DAYS);
    const { halfLife, origin } = await findEstimated(h.db);
    await change(one.offerId, { title: "Another title" });
    const [network] = await h.rows<Pick<Estimates, "clickStrengths" | "conversionStrengths" | "delays" | "maturity">>(
      `select click_strengths as "clickStrengths", conversion_strengths as "conversionStrengths", delays, maturity
      from rate_network`,
    );
    if (!network) throw new Error("nothing is known of the network");
    const maturities = clicks.map(({ offerId, creative }) => ({ offerId, creative, maturity }));
    expect(maturities).toEqual([{ offerId: one.offerId, creative: 1, maturity }]);
    await storeEstimates(h.db, { halfLife, origin, ...network, maturities });
    expect(await maturityOf(h, one.offerId)).toBe(1);
  });

  it("are not expected of the network's clicks either", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    await click(one, decisionsOf(60, MINUTE));
    await estimate(h);
    const maturity = Number(await maturityOf(h, one.offerId));
    expect(maturity).toBeLessThan(0.5);
    await change(one.offerId, { title: "Another title" });
    expect((await networkOf(h)).clicked).toBeCloseTo(60 * maturity);
  });
});

describe("the ids of decisions from a time on", () => {
  it("begin as ids do that are made then", async () => {
    const times = [0, 1, 31, 32, Date.now(), Date.parse("2199-12-31T23:59:59.999Z")];
    for (const time of times) {
      const [row] = await h.rows<{ begins: string }>("select decisions_from($1::timestamptz) as begins", [
        new Date(time).toISOString(),
      ]);
      expect(newId("decision", time).startsWith(row?.begins ?? "?")).toBe(true);
      expect(row?.begins).toHaveLength("dec_".length + 10);
    }
  });
});
