import type { Candidate } from "../../../db/documents/types.ts";
import type { RateSums } from "../../../db/learning/sums.ts";
import { hash32, mix32 } from "../../../functions/core/hash.ts";
import { shownTo } from "../../../functions/decision/creatives.ts";
import { creativeBeliefs, creativeShares } from "../../../functions/decision/learning/creatives.ts";
import { hereSums } from "../../../functions/decision/learning/fold.ts";
import { anywhereSums } from "../../../functions/decision/learning/places.ts";
import { faded, NO_SUMS, plus, weightOf } from "../../../functions/decision/learning/sums.ts";
import { openOffer } from "../core/offers.ts";
import { chanceOf, randomOf } from "../core/random.ts";
import { DAY_MS, START } from "../worlds/world.ts";

/** Describes an offer with some creatives, and how its sessions are split between them. */
export type SplitWorld = {
  creatives: number;
  requests: number;
  /** Sets after how many requests the split learns from counts. */
  batch: number;
  days: number;
  isLearned: boolean;
  seed: number;
};

/**
 * Holds the clicks of an offer's creatives, as shares of always showing the best one, and the share of sessions that
 * saw the best one in the last half.
 */
export type SplitRun = { ofBest: number; ofBestLastHalf: number; bestShare: number };

const CLICK_RATE = 0.03;
/** Sets how much the click rates of creatives differ, as the standard deviation of their logits. */
const SPREAD = 0.25;
const FADING = { halfLife: 60, origin: START / DAY_MS };

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

const otherOf = (candidate: Candidate, number: number, weight: number) => ({ ...candidate, number, weight });

const offerOf = (weights: readonly number[]): Candidate => {
  const { candidate } = openOffer({
    id: "ofr_1",
    serial: 1,
    pricing: "CPC",
    valueMicros: 100_000,
    advertiser: 1,
    madeAt: START,
    guess: CLICK_RATE,
  });
  const [weight = 0, ...rest] = weights.map((share) => Math.round(100 * share));
  return {
    ...candidate,
    creatives: { weight, others: rest.map((its, i) => otherOf(candidate, i + 2, its)) },
  };
};

/**
 * Plays customers who see one of an offer's creatives and click it by its rate, which the split does not know. The
 * service's own code computes the shares, and picks what each session sees.
 */
export const runSplit = ({ creatives, requests, batch, days, isLearned, seed }: SplitWorld): SplitRun => {
  const random = randomOf(seed, creatives);
  const center = Math.log(CLICK_RATE / (1 - CLICK_RATE));
  const rates = Array.from({ length: creatives }, () => logistic(center + SPREAD * random.normal()));
  const best = Math.max(...rates);
  const equal = rates.map(() => 1 / creatives);
  let offer = offerOf(equal);
  const known: RateSums[] = rates.map(() => NO_SUMS);
  let counted = rates.map(() => ({ impressions: 0, clicks: 0, clicked: 0, conversions: 0 }));
  let [all, late, lateBest] = [0, 0, 0];
  for (let i = 0; i < requests; i++) {
    const session = hash32(`${seed}-${i}`);
    const at = (shownTo(offer, session).creative ?? 1) - 1;
    const rate = rates[at] ?? 0;
    all += rate;
    if (i >= requests / 2) {
      late += rate;
      if (rate === best) lateBest += 1;
    }
    const count = counted[at];
    if (count) {
      count.impressions += 1;
      if (chanceOf(mix32(seed, i), 1) < rate) count.clicks += 1;
    }
    if ((i + 1) % batch !== 0) continue;
    const day = Math.floor(START / DAY_MS + (i / requests) * days);
    for (const [n, increase] of counted.entries()) {
      const here = hereSums({ ...increase, day, placementId: "plc", country: "US", place: 0 }, [], FADING);
      known[n] = plus(known[n] ?? NO_SUMS, anywhereSums(here, NO_SUMS));
    }
    counted = rates.map(() => ({ impressions: 0, clicks: 0, clicked: 0, conversions: 0 }));
    const today = weightOf(day, FADING);
    const beliefs = creativeBeliefs(
      known.map((sums) => faded(sums, today)),
      "CPC",
      [CLICK_RATE, 0.05],
    );
    if (isLearned) offer = offerOf(creativeShares(beliefs));
  }
  return {
    ofBest: all / requests / best,
    ofBestLastHalf: late / (requests / 2) / best,
    bestShare: lateBest / (requests / 2),
  };
};
