import { ASSUMED_RATES } from "../../../db/demand/pricing.ts";
import type { RateSums } from "../../../db/learning/sums.ts";
import type { Pricing } from "../../../db/schema/values.ts";
import { advertiserRate, cellBelief, meanOf, networkRate, placeFactor, productOf, type Belief } from "./belief.ts";
import { offerRate, type Known } from "./fold.ts";
import { evidenceOf, NO_SUMS, type Stage } from "./sums.ts";
import { boundOf } from "./score.ts";

/** Says which stages lead from an impression to what is paid for. */
export const STAGES: Record<Pricing, readonly Stage[]> = { CPM: [], CPC: [0], CPA: [0, 1] };

/**
 * Sets how much better than expected an offer is taken to do when candidates are chosen, in standard deviations: what little
 * is known of has to be a candidate before more can be known.
 */
const BOUND = 1;

const upper = (belief: Belief): number => boundOf({ expected: meanOf(belief), shape: belief.shape }, BOUND);

/** Names an offer for what is known of it. */
export type Subject = { offerId: string; advertiserId: string; pricing: Pricing };

/** Returns the rate of an offer's advertiser at a stage, without the offer's own part. */
export const ownersRate = (known: Known, { offerId, advertiserId }: Omit<Subject, "pricing">, stage: Stage): number =>
  advertiserRate(
    evidenceOf(known.others(advertiserId, offerId), stage),
    networkRate(evidenceOf(known.network, stage), ASSUMED_RATES[stage]),
  );

/** Returns how often an impression of an offer may be paid for, wherever it is shown; null where each is. */
export const boundRate = (known: Known, offer: Subject): number | null => {
  const stages = STAGES[offer.pricing];
  if (stages.length === 0) return null;
  return upper(productOf(stages.map((stage) => offerRate(known, offer.offerId, offer.advertiserId, stage))));
};

/**
 * Returns by which factor an offer may do better in a placement and country than it might if nothing were known of it there.
 * That compares it with others of which nothing is.
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
