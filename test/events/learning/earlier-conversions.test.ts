import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { converting, decisionsOf } from "../../support/learning/converting.ts";
import { estimate, forget, makeOne, maturityOf, networkOf } from "../../support/learning/learn.ts";
import { makeSplitOffer } from "../../support/learning/split-offer.ts";
import { MINUTE } from "../../support/tracking/hits.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
beforeEach(() => forget(h));
afterAll(() => h.close());

const { click, buy, takeBack, change, knownOf, rateOf, expectAllLearned } = converting(() => h);

const knownOfCreative = async (offerId: string, number: number) => {
  const [row] = await h.rows<{ conversions: number }>(
    "select conversions from rate_creatives where offer_id = $1 and number = $2",
    [offerId, number],
  );
  return row?.conversions;
};

const conversions = (number: number) => expect.closeTo(number) as number;

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
    expect(await knownOf(one.offerId)).toEqual({ offer: conversions(3), cell: conversions(3) });
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
    expect(await knownOf(one.offerId)).toEqual({ offer: conversions(2), cell: conversions(2) });
    await takeBack(one, [...before.slice(2), ...after.slice(1)]);
    expect(await knownOf(one.offerId)).toEqual({ offer: conversions(0), cell: conversions(0) });
    await expectAllLearned();
  });

  it("are no longer known once they are taken back, whatever changed since they taught", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    const before = decisionsOf(8, MINUTE);
    await click(one, before);
    await buy(one, before);
    await change(one.offerId, { title: "Another title" });
    await takeBack(one, before);
    const [offer] = await h.rows<{ conversions: number }>("select conversions from rate_offers where offer_id = $1", [
      one.offerId,
    ]);
    expect(offer?.conversions).toBeCloseTo(0);
    expect(await h.count("rate_advertisers where abs(conversions) > 1e-9")).toBe(0);
    expect(await h.count("rate_network where abs(conversions) > 1e-9")).toBe(0);
    await expectAllLearned();
  });

  it("tell of an offer as before where only its bid changed", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    const before = decisionsOf(4, MINUTE);
    await click(one, before);
    await change(one.offerId, { bidMicros: 600_000 });
    await buy(one, before);
    expect(await knownOf(one.offerId)).toEqual({ offer: conversions(4), cell: conversions(4) });
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

  it("leave the rate as it was of the clicks that are kept, however often it changes", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    const before = decisionsOf(40, MINUTE);
    await click(one, before);
    await buy(one, before.slice(0, 4));
    await estimate(h);
    const rate = await rateOf(one.offerId);
    expect(rate).toBeGreaterThan(4 / 40);
    for (const title of ["Another title", "A third title", "A fourth title"]) {
      await change(one.offerId, { title });
      expect(await rateOf(one.offerId)).toBeCloseTo(rate);
    }
    await estimate(h);
    expect(await rateOf(one.offerId)).toBeCloseTo(rate);
    expect(await h.count("rate_advertisers where clicked < -1e-9 or conversions < -1e-9")).toBe(0);
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
