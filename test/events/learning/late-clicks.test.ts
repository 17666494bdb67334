import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { PRICINGS } from "../../../db/schema/values.ts";
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

/** Lets customers see an offer that was answered at a time, or click it. */
const hitsOf = (
  { placementId, offerId }: One,
  kind: "impression" | "click",
  issuedAt: number,
  occurredAt: number,
  customers: string[],
) =>
  deliver(
    h,
    customers.map((decisionId) => {
      const answer = { placementId, offerId, issuedAt, decisionId, sessionHash: decisionId };
      return { ...answer, kind, occurredAt };
    }),
  );

/** Returns what is known of an offer over all places, and of its last day with clicks. */
const knownOf = async ({ offerId }: One) => {
  const [offer] = await h.rows("select clicks, exposure, shifted_on from rate_offers where offer_id = $1", [offerId]);
  const [day] = await h.rows<{ clicks: number; taught: number; expected: number }>(
    "select clicks::int, taught, expected from rate_clicks where offer_id = $1 order by day desc limit 1",
    [offerId],
  );
  return { offer, day };
};

describe("clicks that are learned after their impressions", () => {
  it.each(PRICINGS)("are those that were expected, of an offer of pricing %s", async (pricing) => {
    const one = await makeOne(h, { pricing });
    await deliverThen(one, 2, 60, 30);
    const yesterday = Date.now() - DAY;
    const customers = Array.from({ length: 40 }, () => newId("decision"));
    await hitsOf(one, "impression", yesterday, yesterday, customers);
    await learn(h);
    await hitsOf(one, "click", yesterday, yesterday, customers.slice(0, 20));
    await learn(h);
    const before = await knownOf(one);
    expect(before.day).toMatchObject({ taught: 20, expected: expect.closeTo(20, 0) as number });
    expect(before.offer).toMatchObject({ shifted_on: null });
    await judge();
    expect(await knownOf(one)).toEqual(before);
  });

  it("are no shift after midnight, when the impressions were the day before", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    await deliverThen(one, 2, 60, 30);
    const customers = [newId("decision"), newId("decision")];
    const yesterday = Date.now() - DAY;
    await hitsOf(one, "impression", yesterday, yesterday, customers);
    await learn(h);
    await hitsOf(one, "click", yesterday, Date.now(), customers);
    await learn(h);
    const before = await knownOf(one);
    expect(before).toMatchObject({ day: { clicks: 2, taught: 0, expected: 0 }, offer: { shifted_on: null } });
    await judge();
    expect(await knownOf(one)).toEqual(before);
  });
});
