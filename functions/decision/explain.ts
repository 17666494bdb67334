import type { CandidacyReason, ExplainedOffer } from "../../db/demand/explain.ts";
import { answer, type NoFillReason, type Situation } from "./decide.ts";
import { ineligibility, type DecisionRequest, type Ineligible } from "./eligibility.ts";

/** Names why an offer was not served: a switch, the request, the tables, or that others came before it. */
export type ExclusionReason =
  | NoFillReason
  | Ineligible
  | CandidacyReason
  | "test_mode"
  | "outranked"
  | "not_a_candidate";

/** Tells what became of an offer: its place in the answer, counted from 1, or the one reason against it. */
export type Verdict = {
  offerId: string;
  name: string;
  served: boolean;
  rank: number | null;
  reason: ExclusionReason | null;
};

/**
 * Says of each offer whether it answers a request, and if not why. Served offers come first, in their order.
 *
 * @param known offers with what the tables say against them; `not_a_candidate` where they say nothing and yet the offer
 *   is not among the placement's candidates, because better ones fill the list or it was made anew since
 */
export const explain = (
  situation: Situation,
  request: DecisionRequest,
  known: readonly ExplainedOffer[],
): { isTestMode: boolean; noFillReason: NoFillReason | null; offers: Verdict[] } => {
  const { chosen, isTest, noFillReason } = answer(situation, request);
  const candidates = new Map(situation.candidates?.offers.map((offer) => [offer.id, offer]));
  const reasonOf = (offer: ExplainedOffer): ExclusionReason => {
    if (noFillReason && noFillReason !== "no_eligible_offer") return noFillReason;
    if (isTest) return "test_mode";
    const candidate = candidates.get(offer.id);
    if (!candidate) return offer.reason ?? "not_a_candidate";
    const reason = ineligibility(candidate, situation.network, request);
    // The tables know why an offer changed, and that one which starts at midnight is at its daily cap.
    return (reason === "changed" || reason === "not_started" ? offer.reason : null) ?? reason ?? "outranked";
  };
  const ranks = new Map(chosen.map((offer, i) => [offer.id, i + 1]));
  const names = new Map(known.map((offer) => [offer.id, offer.name]));
  const served = chosen
    .filter((offer) => isTest || names.has(offer.id))
    .map((offer): Verdict => ({
      offerId: offer.id,
      name: names.get(offer.id) ?? offer.title,
      served: true,
      rank: ranks.get(offer.id) ?? null,
      reason: null,
    }));
  const excluded = known
    .filter((offer) => !ranks.has(offer.id))
    .map((offer): Verdict => ({
      offerId: offer.id,
      name: offer.name,
      served: false,
      rank: null,
      reason: reasonOf(offer),
    }));
  return { isTestMode: isTest, noFillReason, offers: [...served, ...excluded] };
};
