import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { recordHits } from "../../../db/tracking/recording/events.ts";
import { api } from "../../support/api.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { forget, learn, makeOne } from "../../support/learning/learn.ts";
import { makeSplitOffer } from "../../support/learning/split-offer.ts";
import { SECRETS } from "../../support/secrets.ts";
import { DAY, expectExactCounts, idAt, makeHit, MINUTE } from "../../support/tracking/hits.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
beforeEach(() => forget(h));
afterAll(() => h.close());

type At = { placementId: string; offerId: string; creative?: number };

/** Returns ids of decisions that were made a while ago. */
const decisionsOf = (count: number, ago = 0) => Array.from({ length: count }, () => idAt("decision", Date.now() - ago));

/** Lets customers see and click an offer. */
const click = async (at: At, decisions: readonly string[]) => {
  const hits = (kind: "impression" | "click") =>
    decisions.map((decisionId) => makeHit({ ...at, decisionId, sessionHash: decisionId, kind }));
  await recordHits(h.db, [...hits("impression"), ...hits("click")]);
  await learn(h);
};

/** Lets customers who clicked an offer buy. */
const buy = async (at: At, decisions: readonly string[]) => {
  const sold = { kind: "conversion" as const, amountMicros: null, currency: null };
  await recordHits(
    h.db,
    decisions.map((decisionId) => ({ ...makeHit({ ...at, decisionId }), ...sold, transactionId: newId("event") })),
  );
  await learn(h);
};

const change = async (offerId: string, body: object) => {
  const answer = await api(h, "PUT", `/api/v1/offers/${offerId}`, { token: SECRETS.ADMIN_TOKEN, body });
  expect(answer.status).toBe(200);
};

/** Returns how many conversions are known of an offer, and in the only placement and country where it is shown. */
const knownOf = async (offerId: string) => {
  const [row] = await h.rows<{ offer: number; cell: number }>(
    `select r.conversions as offer, c.conversions as cell from rate_offers r join offers o on o.id = r.offer_id
      join rate_cells c on c.serial = o.serial and c.creative = o.creative and c.placement_id <> '' and c.country <> ''
    where o.id = $1`,
    [offerId],
  );
  return row;
};

describe("conversions of clicks from before an offer changed", () => {
  it("tell nothing of its new texts", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    const before = decisionsOf(12, MINUTE);
    await click(one, before);
    await change(one.offerId, { title: "Another title" });
    await buy(one, before);
    const after = decisionsOf(5);
    await click(one, after);
    await buy(one, after.slice(0, 3));
    expect(await knownOf(one.offerId)).toEqual({
      offer: expect.closeTo(3) as number,
      cell: expect.closeTo(3) as number,
    });
    expect(await h.count("daily_counters where not is_learned and offer_id <> ''")).toBe(0);
    await expectExactCounts(h);
  });

  it("tell nothing of clicks since it is paid for by the conversion", async () => {
    const one = await makeOne(h, { pricing: "CPC" });
    const before = decisionsOf(12, DAY);
    await click(one, before);
    await change(one.offerId, { pricing: "CPA" });
    await buy(one, before);
    const after = decisionsOf(2);
    await click(one, after);
    await buy(one, after);
    expect((await knownOf(one.offerId))?.offer).toBeCloseTo(2);
  });

  it("tell of it as before where only its bid changed", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    const before = decisionsOf(4, MINUTE);
    await click(one, before);
    await change(one.offerId, { bidMicros: 600_000 });
    await buy(one, before);
    expect((await knownOf(one.offerId))?.offer).toBeCloseTo(4);
  });

  it("tell nothing of its own creative where it has several", async () => {
    const { id: offerId, placement } = await makeSplitOffer(h, { pricing: "CPA", creativeSplit: "LEARNED" });
    const at = { offerId, placementId: placement.id, creative: 1 };
    const before = decisionsOf(3, MINUTE);
    await click(at, before);
    await change(offerId, { title: "Another title" });
    await buy(at, before);
    const after = decisionsOf(2);
    await click(at, after);
    await buy(at, after);
    const [own] = await h.rows<{ conversions: number }>(
      "select conversions from rate_creatives where offer_id = $1 and number = 1",
      [offerId],
    );
    expect(own?.conversions).toBeCloseTo(2);
    expect(await h.count("creative_counters where not is_learned")).toBe(0);
  });
});
