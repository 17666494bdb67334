import { meanOf, type Belief } from "./learning/belief.ts";
import { boundOf } from "./learning/score.ts";

/** Tells what a rate is expected to be, and the interval in which it lies with a probability of 95 % if it stands still. */
export type Rate = { expected: number; low: number; high: number };

/** Holds the quantiles of the normal distribution between which 95 % lie. */
const INTERVAL = 1.96;

/** Returns a number of few digits, as answers show it. */
export const brief = (number: number): number => Number(number.toPrecision(4));

/** Tells what is believed of a rate. */
export const rateOf = (belief: Belief): Rate => {
  const worth = { expected: meanOf(belief), shape: belief.shape };
  return {
    expected: brief(worth.expected),
    low: brief(boundOf(worth, -INTERVAL)),
    high: brief(boundOf(worth, INTERVAL)),
  };
};
