import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { deliver, forget, learn, makeOne } from "../../support/learning/learn.ts";
import { shifting } from "../../support/learning/shifting.ts";
import { DAY } from "../../support/tracking/hits.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
beforeEach(() => forget(h));
afterAll(() => h.close());

const { deliverThen, judge } = shifting(() => h);

type One = Awaited<ReturnType<typeof makeOne>>;

/** Lets a shop that reports no impressions report clicks of some days ago. */
const deliverClicks = async ({ placementId, offerId }: One, daysAgo: number, clicks: number) => {
  const then = Date.now() - daysAgo * DAY;
  const hits = Array.from({ length: clicks }, () => {
    const decisionId = newId("decision");
    const at = { placementId, offerId, decisionId, sessionHash: decisionId };
    return { ...at, kind: "click" as const, issuedAt: then, occurredAt: then };
  });
  await deliver(h, hits);
  await learn(h);
};

/** Returns the offers whose rates are thought to have shifted. */
const shifted = () =>
  h.rows<{ offer_id: string; shift_ratio: number }>(
    "select offer_id, shift_ratio from rate_offers where shifted_on is not null",
  );

describe("an offer's rate is not taken for shifted", () => {
  it("because a shop no longer reports impressions", async () => {
    const [silent, usual] = [await makeOne(h), await makeOne(h)];
    for (const one of [silent, usual]) await deliverThen(one, 2, 100, 50);
    await deliverThen(usual, 1, 100, 50);
    await deliverClicks(silent, 1, 50);
    await judge();
    expect(await shifted()).toEqual([]);
  });

  it("because a shop begins to report impressions", async () => {
    const [silent, usual] = [await makeOne(h), await makeOne(h)];
    await deliverClicks(silent, 2, 50);
    await deliverThen(usual, 2, 100, 50);
    await deliverThen(silent, 1, 2, 0);
    await deliverThen(silent, 1, 40, 20);
    await deliverThen(usual, 1, 100, 50);
    await judge();
    expect(await shifted()).toEqual([]);
  });
});
