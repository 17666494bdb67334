import type { CandidacyReason, ExplainedOffer } from "../../db/demand/explain.ts";
import type { Candidate } from "../../db/documents/types.ts";
import { answer, type NoFillReason, type Situation } from "./decide.ts";
import { ARMS } from "./arms.ts";
import { explainCreatives, type CreativeVerdict } from "./explain-creatives.ts";
import { brief, rateOf, type Rate } from "./interval.ts";
import { CELL_EXPOSURE, paidRate, worthOf } from "./learning/score.ts";
import { judge } from "./order.ts";
import { OUT } from "./standing/standing.ts";
import { ineligibility, shareAt, type DecisionRequest, type Ineligible } from "./eligibility.ts";

/**
 * Names the reasons why an offer was not served: a switch, the request, what the tables say, or that others came first.
 */
export type ExclusionReason =
  | NoFillReason
  | Ineligible
  | CandidacyReason
  | "test_mode"
  | "outranked"
  | "not_a_candidate";

/**
 * Holds what is believed of a candidate in this placement and country, and what was drawn from that for the session.
 *
 * `rate` is how often an impression is paid for, with the interval in which it lies with a probability of 95 % if rates
 * do not change, and null where each impression is. `exposure` counts the impressions here that this comes from, those
 * of later places and of long ago for less. `shiftedOn` is the day on which its click rate was last found to have
 * shifted, and `shiftRatio` how many times as often as expected it was clicked then; both are null where it has not
 * shifted, or its texts have changed since. `valueMicros` is what an impression is worth, and `score` the draw that
 * orders the candidates, both in micro-USD: with the rate they tell what advertisers bid, and are null for whoever may
 * not see that. The score is also null where the offer is not for the request, for a session that is served at random or
 * held out, and for the newcomer that it sees.
 */
export type Expectation = {
  rate: Rate | null;
  exposure: number;
  shiftedOn: string | null;
  shiftRatio: number | null;
  valueMicros: number | null;
  score: number | null;
};

/**
 * Tells whether an offer is served: its place in the answer, counted from 1, or the one reason against it. `pace` is
 * the share of sessions that may see it now, null where it is not paced, or not a candidate; `creatives` is null where
 * it has only one.
 */
export type Verdict = {
  offerId: string;
  name: string;
  served: boolean;
  rank: number | null;
  reason: ExclusionReason | null;
  pace: number | null;
  expectation: Expectation | null;
  creatives: CreativeVerdict[] | null;
};

const expectations = (
  { candidates, network }: Situation,
  request: DecisionRequest,
  known: readonly ExplainedOffer[],
): Map<string, Expectation> => {
  if (!candidates) return new Map();
  const shifts = new Map(known.map(({ id, shift }) => [id, shift]));
  const { offers, learned } = candidates;
  const { scores, levels } = judge(candidates, network, request);
  return new Map(
    offers.map((offer, i): [string, Expectation] => {
      const belief = paidRate(i, learned);
      const score = scores[i] ?? 0;
      const valueMicros = brief(worthOf(offer, i, learned).expected);
      const shift = shifts.get(offer.id);
      const isDrawn = request.arm === ARMS.learned && levels[i] !== OUT && Number.isFinite(score);
      return [
        offer.id,
        {
          rate: belief && rateOf(belief),
          exposure: brief(learned?.rates[i]?.[CELL_EXPOSURE] ?? 0),
          shiftedOn: shift?.day ?? null,
          shiftRatio: shift ? brief(shift.ratio) : null,
          valueMicros,
          // Chance decides between offers that are worth nothing, and may draw a little less than that.
          score: isDrawn ? valueMicros && brief(score ** 3) : null,
        },
      ];
    }),
  );
};

/** Returns a verdict without what reveals advertisers' money. */
export const withoutGross = (verdict: Verdict): Verdict => ({
  ...verdict,
  expectation: verdict.expectation && { ...verdict.expectation, valueMicros: null, score: null },
});

/**
 * Tells for each offer whether it answers a request, and if not, why. Served offers come first, in their order.
 *
 * @param known offers with what the tables say against them. An offer that is not among the placement's candidates,
 *   though the tables say nothing against it, is `not_a_candidate`: better ones fill the list, or it was created or
 *   changed since
 * @param broad the offers of the broad list, where the answer comes from a narrower one, which leaves out what the
 *   request rules out
 */
export const explain = (
  situation: Situation,
  request: DecisionRequest,
  known: readonly ExplainedOffer[],
  broad: readonly Candidate[] = [],
): { isTestMode: boolean; noFillReason: NoFillReason | null; offers: Verdict[] } => {
  const { chosen, isTest, noFillReason } = answer(situation, request);
  const candidates = new Map(situation.candidates?.offers.map((offer) => [offer.id, offer]));
  const rejected = new Map(broad.map((offer) => [offer.id, offer]));
  const reasonOf = (offer: ExplainedOffer): ExclusionReason => {
    if (noFillReason && noFillReason !== "no_eligible_offer") return noFillReason;
    if (isTest) return "test_mode";
    const candidate = candidates.get(offer.id);
    const judged = candidate ?? rejected.get(offer.id);
    const reason = judged ? ineligibility(judged, situation.network, request) : null;
    // The tables know why an offer changed, and that one which is to start at midnight is at its daily cap.
    const told = !candidate || reason === "changed" || reason === "not_started" ? offer.reason : null;
    return told ?? reason ?? (candidate ? "outranked" : "not_a_candidate");
  };
  const expected = isTest ? new Map<string, Expectation>() : expectations(situation, request, known);
  const expectation = (offerId: string) => expected.get(offerId) ?? null;
  const ranks = new Map(chosen.map((offer, i) => [offer.id, i + 1]));
  const paces = new Map(
    known.flatMap(({ id, pacing }): [string, number][] => {
      const candidate = pacing === "EVEN" ? candidates.get(id) : undefined;
      return candidate ? [[id, brief(shareAt(situation.network, candidate))]] : [];
    }),
  );
  const splits = new Map(known.map((offer) => [offer.id, offer.creatives ?? null]));
  const creatives = (offerId: string) => {
    const split = isTest ? null : (splits.get(offerId) ?? null);
    return split && explainCreatives(split, candidates.get(offerId), request.session);
  };
  const names = new Map(known.map((offer) => [offer.id, offer.name]));
  const served = chosen
    .filter((offer) => isTest || names.has(offer.id))
    .map((offer): Verdict => ({
      offerId: offer.id,
      name: names.get(offer.id) ?? offer.title,
      served: true,
      rank: ranks.get(offer.id) ?? null,
      reason: null,
      pace: paces.get(offer.id) ?? null,
      expectation: expectation(offer.id),
      creatives: creatives(offer.id),
    }));
  const excluded = known
    .filter((offer) => !ranks.has(offer.id))
    .map((offer): Verdict => ({
      offerId: offer.id,
      name: offer.name,
      served: false,
      rank: null,
      reason: reasonOf(offer),
      pace: paces.get(offer.id) ?? null,
      expectation: expectation(offer.id),
      creatives: creatives(offer.id),
    }));
  return { isTestMode: isTest, noFillReason, offers: [...served, ...excluded] };
};
