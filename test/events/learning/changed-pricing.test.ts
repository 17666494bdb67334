import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startHarness, type Harness } from "../../support/harness.ts";
import { converting, decisionsOf, knowledge } from "../../support/learning/converting.ts";
import { estimate, forget, learn, makeOne, maturityOf } from "../../support/learning/learn.ts";
import { DAY, MINUTE } from "../../support/tracking/hits.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
beforeEach(() => forget(h));
afterAll(() => h.close());

const { countClicks, click, buy, takeBack, change, knownOf, rateOf, expectAllLearned } = converting(() => h);

describe("conversions of an offer whose pricing changes", () => {
  it("come only from clicks that were paid for by the conversion", async () => {
    const one = await makeOne(h, { pricing: "CPC" });
    const before = decisionsOf(12, DAY);
    await click(one, before);
    await change(one.offerId, { pricing: "CPA" });
    await buy(one, before);
    const after = decisionsOf(2);
    await click({ ...one, revision: 2 }, after);
    await buy({ ...one, revision: 2 }, after);
    expect(await knownOf(one.offerId)).toEqual(knowledge(2, 2));
    await takeBack(one, before.slice(0, 5));
    expect(await knownOf(one.offerId)).toEqual(knowledge(2, 2));
    await expectAllLearned();
  });

  it("still tell of those clicks while it is paid for otherwise", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    const before = decisionsOf(4, MINUTE);
    await click(one, before);
    await change(one.offerId, { pricing: "CPC" });
    await buy(one, before.slice(0, 3));
    await change(one.offerId, { pricing: "CPA" });
    expect(await knownOf(one.offerId)).toEqual(knowledge(4, 3));
    await expectAllLearned();
  });

  it("belong to those clicks whenever these are learned", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    const before = decisionsOf(4, MINUTE);
    await countClicks(one, before);
    await change(one.offerId, { pricing: "CPC" });
    await learn(h);
    await change(one.offerId, { pricing: "CPA" });
    await buy(one, before.slice(0, 1));
    const after = { ...one, revision: 2 };
    await countClicks(after, decisionsOf(5));
    await learn(h);
    expect(await knownOf(one.offerId)).toEqual(knowledge(4, 1));
    await expectAllLearned();
  });

  it("are not expected of clicks from while it was paid for otherwise", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    await h.rows(
      `insert into daily_counters (day, placement_id, offer_id, advertiser_id, country, impressions, clicks, conversions)
      values ((now() at time zone 'UTC')::date - 40, $1, $2, $3, 'US', 100, 100, 10)`,
      [one.placementId, one.offerId, one.advertiserId],
    );
    await learn(h);
    await estimate(h);
    await change(one.offerId, { pricing: "CPC" });
    await click({ ...one, revision: 2 }, decisionsOf(50));
    await change(one.offerId, { pricing: "CPA" });
    await estimate(h);
    expect(await maturityOf(h, one.offerId)).toBe(1);
    expect(await rateOf(one.offerId)).toBeCloseTo(10 / 100);
  });
});
