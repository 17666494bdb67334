import { meanOf, type Belief } from "./learning/belief.ts";
import { boundOf } from "./learning/score.ts";

/**
 * Holds what a rate is expected to be, and the interval in which it lies with a probability of 95 % if it does not
 * change.
 */
export type Rate = { expected: number; low: number; high: number };

/** Holds the quantiles of the normal distribution between which 95 % lie. */
const INTERVAL = 1.96;

/** Rounds a number to the four digits that answers show. */
export const brief = (number: number): number => Number(number.toPrecision(4));

/** Returns the expectation and the interval of a belief. */
export const rateOf = (belief: Belief): Rate => {
  const worth = { expected: meanOf(belief), shape: belief.shape };
  return {
    expected: brief(worth.expected),
    low: brief(boundOf(worth, -INTERVAL)),
    high: brief(boundOf(worth, INTERVAL)),
  };
};
