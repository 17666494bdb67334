import { ASSUMED_RATES } from "../../../db/demand/pricing.ts";
import type { RateSums } from "../../../db/learning/sums.ts";
import type { Pricing } from "../../../db/schema/values.ts";
import { advertiserRate, cellBelief, meanOf, networkRate, placeFactor, productOf, type Belief } from "./belief.ts";
import { offerRate, type Known } from "./fold.ts";
import { evidenceOf, NO_SUMS, type Stage } from "./sums.ts";
import { boundOf } from "./score.ts";

/** Lists the stages that lead from an impression to what is paid for. */
export const STAGES: Record<Pricing, readonly Stage[]> = { CPM: [], CPC: [0], CPA: [0, 1] };

/**
 * Sets how much better than expected an offer is assumed to do when candidates are chosen, in standard deviations: an
 * offer of which little is known has to be a candidate before more can be known.
 */
const BOUND = 1;

const upper = (belief: Belief): number => boundOf({ expected: meanOf(belief), shape: belief.shape }, BOUND);

/** Holds what is needed to look up what is known of an offer. */
export type Subject = { offerId: string; advertiserId: string; pricing: Pricing };

/** Returns the rate of an offer's advertiser at a stage, without the offer's own part. */
export const ownersRate = (known: Known, { offerId, advertiserId }: Omit<Subject, "pricing">, stage: Stage): number =>
  advertiserRate(
    evidenceOf(known.others(advertiserId, offerId), stage),
    networkRate(evidenceOf(known.network, stage), ASSUMED_RATES[stage]),
  );

/**
 * Returns the upper bound of how often an impression of an offer is paid for, over all places; null where each one is.
 */
export const boundRate = (known: Known, offer: Subject): number | null => {
  const stages = STAGES[offer.pricing];
  if (stages.length === 0) return null;
  return upper(productOf(stages.map((stage) => offerRate(known, offer.offerId, offer.advertiserId, stage))));
};

/**
 * Returns the factor by which what is known of an offer in a placement and country changes its upper bound there. So it
 * can be compared with offers of which nothing is known there.
 *
 * @param cell what happened to it there
 * @param place what happened there to all offers
 * @param lift how it does elsewhere in the placement, and elsewhere in the country: see lines.ts
 */
export const liftOf = (known: Known, offer: Subject, cell: RateSums, place: RateSums, lift: number): number => {
  const stages = STAGES[offer.pricing];
  if (stages.length === 0) return 1;
  const bound = (here: RateSums, elsewhere: number): number =>
    upper(
      productOf(
        stages.map((stage) =>
          cellBelief(
            evidenceOf(known.offer(offer.offerId), stage),
            evidenceOf(here, stage),
            placeFactor(evidenceOf(place, stage)),
            ownersRate(known, offer, stage),
            known.strengths[stage],
            stage === 0 ? elsewhere : 1,
          ),
        ),
      ),
    );
  return bound(cell, lift) / bound(NO_SUMS, 1);
};
