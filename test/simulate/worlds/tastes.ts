import { mix32 } from "../../../functions/core/hash.ts";
import { normalQuantile } from "../../../functions/decision/learning/normal.ts";
import { chanceOf } from "../core/random.ts";

/** Sets how much rates differ, as standard deviations of their logits. */
export type Tastes = {
  /** Sets the rate of a typical offer at a typical place. */
  usual: number;
  offer: number;
  advertiser: number;
  placement: number;
  country: number;
  /** Sets how much an offer's rate differs by placement, and by country. */
  offerInPlacement: number;
  offerInCountry: number;
};

/** Says where an offer is looked at: numbers of the offer, its advertiser, the placement and the country. */
export type Look = { offer: number; advertiser: number; placement: number; country: number };

const normalOf = (seed: number, kind: number, a: number, b = 0): number =>
  normalQuantile(chanceOf(mix32(mix32(seed, kind), a + 1), b + 1));

/** Returns a probability of a logit. */
export const ofLogit = (logit: number): number => 1 / (1 + Math.exp(-logit));

/** Returns the logit of the rate of an offer where it is looked at: a sum of normal effects (logit-normal rates). */
export const logitOf = (tastes: Tastes, seed: number, { offer, advertiser, placement, country }: Look): number =>
  Math.log(tastes.usual / (1 - tastes.usual)) +
  tastes.offer * normalOf(seed, 1, offer) +
  tastes.advertiser * normalOf(seed, 2, advertiser) +
  tastes.placement * normalOf(seed, 3, placement) +
  tastes.country * normalOf(seed, 4, country) +
  tastes.offerInPlacement * normalOf(seed, 5, offer, placement) +
  tastes.offerInCountry * normalOf(seed, 6, offer, country);

/** Returns cumulative shares by Zipf's law: the n-th of them has a share proportional to 1/n. */
export const zipf = (count: number): number[] => {
  const weights = Array.from({ length: count }, (_, i) => 1 / (i + 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  return weights.map((weight) => (sum += weight) / total);
};
