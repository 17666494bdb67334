import type { RatedCell, RatedOffer, Sample } from "../../../db/learning/estimates.ts";
import type { RateSums } from "../../../db/learning/sums.ts";
import { meanOf, MOST_STRENGTHS, offerBelief, placeFactor, USUAL_STRENGTHS, type Strengths } from "./belief.ts";
import { placesOf } from "./known.ts";
import { evidenceOf, faded, NO_SUMS, ripe, type Stage } from "./sums.ts";

const LEAST = 1;

/** Holds how often something happened, and how often it was expected to. */
export type Outcome = { count: number; expected: number };

/**
 * Estimates how many events the common rate is worth, from how far counts scatter around it: the less they scatter
 * beyond chance, the more it is worth. The estimate is by moments, and at least 1.
 *
 * @param most bounds the estimate
 * @returns `usual` when too little has happened to tell
 */
export const strengthOf = (outcomes: readonly Outcome[], usual: number, most: number): number => {
  let squares = 0;
  let beyond = 0;
  let events = 0;
  for (const { count, expected } of outcomes) {
    squares += expected * expected;
    beyond += (count - expected) ** 2 - expected;
    events += count;
  }
  if (events < 100 || outcomes.length < 20) return usual;
  return beyond <= 0 ? most : Math.min(most, Math.max(LEAST, squares / beyond));
};

const rateOf = (offer: RatedOffer, stage: Stage): number => (stage === 0 ? offer.clickRate : offer.conversionRate);

/**
 * Holds offers, and offers in placements and countries, with what is known of them; `maturity` is the part of all
 * conversions that has come.
 */
export type Rated = Pick<Sample, "maturity"> & {
  offers: readonly RatedOffer[];
  cells: readonly RatedCell[];
  places: ReadonlyMap<string, RateSums>;
};

/**
 * Estimates how many events the rate of an advertiser is worth, and how many an offer's own rate: for clicks, then for
 * conversions.
 *
 * @param weight the weight of today
 */
export const strengthsOf = ({ offers, cells, places, maturity }: Rated, weight: number): [Strengths, Strengths] => {
  const place = placesOf(places, weight, maturity);
  const around = cells.map(({ placementId, country }) => place(placementId, country));
  const at = (stage: Stage): Strengths => {
    const evidence = (sums: RateSums, ripeness: number) => evidenceOf(ripe(faded(sums, weight), ripeness), stage);
    const ofOffers = offers.map((offer): Outcome => {
      const { count, exposure } = evidence(offer, offer.maturity);
      return { count, expected: exposure * rateOf(offer, stage) };
    });
    const strength = strengthOf(ofOffers, USUAL_STRENGTHS.offer, MOST_STRENGTHS.offer);
    const ofCells = cells.map((cell, i): Outcome => {
      const { offer } = cell;
      const { count, exposure } = evidence(cell, offer.maturity);
      const own = evidence(offer, offer.maturity);
      const factor = placeFactor(evidenceOf(around[i] ?? NO_SUMS, stage));
      // The cell's own part is left out, since it would agree with itself.
      const elsewhere = { count: own.count - count, exposure: own.exposure - exposure * factor };
      return { count, expected: exposure * factor * meanOf(offerBelief(elsewhere, rateOf(offer, stage), strength)) };
    });
    return { offer: strength, cell: strengthOf(ofCells, USUAL_STRENGTHS.cell, MOST_STRENGTHS.cell) };
  };
  return [at(0), at(1)];
};
