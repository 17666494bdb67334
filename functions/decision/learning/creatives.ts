import type { RateSums } from "../../../db/learning/sums.ts";
import type { Pricing } from "../../../db/schema/values.ts";
import { meanOf, offerBelief, productOf, USUAL_STRENGTHS, type Belief } from "./belief.ts";
import { normalQuantile, normalShare } from "./normal.ts";
import { termsOf } from "./score.ts";
import { evidenceOf, plus, NO_SUMS, type Stage } from "./sums.ts";

/**
 * Lists the stages by which creatives are compared: clicks per impression, and for offers paid by the conversion also
 * conversions per click. Where impressions are paid for, the creative that is clicked more is the better one, too.
 */
const STAGES: Record<Pricing, readonly Stage[]> = { CPM: [0], CPC: [0], CPA: [0, 1] };

/** Says how many events the common rate of an offer's creatives is worth for each of them: they are much alike. */
const STRENGTH = 4;

/** Keeps some sessions for each creative, however badly it began, so that it may still prove itself. */
const LEAST_SHARE = 0.01;

/** Sets how finely shares are rounded: documents change whenever a share does. */
const PARTS = 100;

/** Sets in how many steps the chances of being the best are worked out. */
const STEPS = 200;

/**
 * Returns what is believed of how often an impression of each creative of an offer does what the offer is paid for.
 *
 * @param creatives what happened to each, faded and ripe; exposures are multiplied by the factors of their places
 * @param ownersRates what to expect of the offer at each stage: the rate of its advertiser's other offers
 */
export const creativeBeliefs = (
  creatives: readonly RateSums[],
  pricing: Pricing,
  ownersRates: readonly [number, number],
): Belief[] => {
  const all = creatives.reduce(plus, NO_SUMS);
  const common = ([0, 1] as const).map((stage) =>
    meanOf(offerBelief(evidenceOf(all, stage), ownersRates[stage], USUAL_STRENGTHS.offer)),
  );
  return creatives.map((sums) =>
    productOf(STAGES[pricing].map((stage) => offerBelief(evidenceOf(sums, stage), common[stage] ?? 0, STRENGTH))),
  );
};

/** Holds evenly spaced quantiles of a normal variable, which stand for its distribution. */
const QUANTILES = Array.from({ length: STEPS }, (_, step) => normalQuantile((step + 0.5) / STEPS));

/** Returns the probability that each of some rates is the highest. */
const chancesOf = (beliefs: readonly Belief[]): number[] => {
  const terms = beliefs.map((belief) => termsOf({ expected: meanOf(belief), shape: belief.shape }, 1));
  return terms.map(({ center, spread }, i) => {
    const above = QUANTILES.map((z) =>
      terms.reduce((chance, other, j) => {
        return j === i ? chance : chance * normalShare((center + spread * z - other.center) / other.spread);
      }, 1),
    );
    return above.reduce((sum, chance) => sum + chance, 0) / STEPS;
  });
};

/**
 * Returns the share of an offer's sessions that each creative is shown to: the probability that it is the best
 * (Thompson sampling), in hundredths, and never less than one.
 */
export const creativeShares = (beliefs: readonly Belief[]): number[] =>
  chancesOf(beliefs).map((chance) => Math.max(LEAST_SHARE, Math.round(chance * PARTS) / PARTS));
