import { expect } from "vitest";
import { reverseConversion } from "../../../db/tracking/conversions/reverse.ts";
import { recordHits } from "../../../db/tracking/recording/events.ts";
import { api } from "../api.ts";
import type { Harness } from "../harness.ts";
import { SECRETS } from "../secrets.ts";
import { expectExactCounts, idAt, makeHit } from "../tracking/hits.ts";
import { learn } from "./learn.ts";

/** Names where an offer was shown, and which creative and revision of it. */
type At = { placementId: string; offerId: string; creative?: number; revision?: number };

/** Returns ids of decisions that were made a while ago. */
export const decisionsOf = (count: number, ago = 0) =>
  Array.from({ length: count }, () => idAt("decision", Date.now() - ago));

const about = (number: number) => expect.closeTo(number) as number;

/** Returns what `knownOf` should tell of an offer with so many clicks that may convert, and conversions. */
export const knowledge = (clicked: number, conversions: number) => ({
  offer: about(conversions),
  cell: about(conversions),
  clicked: about(clicked),
});

/** Makes what tests of conversions need: customers who click and buy, changes of offers, and what is then known. */
export const converting = (harness: () => Harness) => {
  /** Counts that customers see and click an offer. */
  const countClicks = (at: At, decisions: readonly string[]) => {
    const hits = (kind: "impression" | "click") =>
      decisions.map((decisionId) => makeHit({ ...at, decisionId, sessionHash: decisionId, kind }));
    return recordHits(harness().db, [...hits("impression"), ...hits("click")]);
  };

  /** Counts that customers who clicked an offer buy, each in a transaction that is named after the decision. */
  const countConversions = (at: At, decisions: readonly string[]) => {
    const sold = { kind: "conversion" as const, amountMicros: null, currency: null };
    return recordHits(
      harness().db,
      decisions.map((decisionId) => ({ ...makeHit({ ...at, decisionId }), ...sold, transactionId: decisionId })),
    );
  };

  /** Counts clicks, and learns from them. */
  const click = async (at: At, decisions: readonly string[]) => {
    await countClicks(at, decisions);
    await learn(harness());
  };

  /** Counts conversions, and learns from them. */
  const buy = async (at: At, decisions: readonly string[]) => {
    await countConversions(at, decisions);
    await learn(harness());
  };

  const change = async (path: string, body: object) => {
    const answer = await api(harness(), "PUT", `/api/v1/offers/${path}`, { token: SECRETS.ADMIN_TOKEN, body });
    expect(answer.status).toBe(200);
  };

  /**
   * Tells how many conversions, and clicks that may convert, are known of an offer in the only placement and country
   * where it is shown, and how many conversions over all places.
   */
  const knownOf = async (offerId: string) => {
    const [row] = await harness().rows<{ offer: number; cell: number; clicked: number }>(
      `select r.conversions as offer, c.conversions as cell, c.clicked from rate_offers r join offers o on o.id = r.offer_id
        join rate_cells c on c.serial = o.serial and c.creative = o.creative and c.placement_id <> '' and c.country <> ''
      where o.id = $1`,
      [offerId],
    );
    return row;
  };

  /** Returns an offer's conversions per click, counting only the part of its clicks whose conversions have come. */
  const rateOf = async (offerId: string) => {
    const [row] = await harness().rows<{ rate: number }>(
      "select conversions / (clicked * maturity) as rate from rate_offers where offer_id = $1",
      [offerId],
    );
    return row?.rate ?? Number.NaN;
  };

  /** Takes back what customers bought. */
  const takeBack = async ({ advertiserId }: { advertiserId: string }, decisions: readonly string[]) => {
    for (const transactionId of decisions) await reverseConversion(harness().db, { advertiserId, transactionId }, null);
    await learn(harness());
  };

  /** Expects that nothing is left to learn, and that all counts are right. */
  const expectAllLearned = async () => {
    expect(await harness().count("daily_counters where not is_learned and offer_id <> ''")).toBe(0);
    expect(await harness().count("creative_counters where not is_learned")).toBe(0);
    await expectExactCounts(harness());
  };
  return { countClicks, countConversions, click, buy, takeBack, change, knownOf, rateOf, expectAllLearned };
};
