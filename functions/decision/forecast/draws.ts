import { mix32 } from "../../core/hash.ts";
import { normalQuantile } from "../learning/normal.ts";
import { boundOf } from "../learning/score.ts";

/** Draws random values, but the same ones each time, so that forecasts can be compared. */
export type Draw = {
  /** Draws a whole number from 0 up to, but not including, a limit. */
  below: (limit: number) => number;
  /** Draws a gamma variable of a shape and of scale 1, by an approximation (Wilson and Hilferty, 1931). */
  gamma: (shape: number) => number;
  /** Draws how often something happens that is expected `mean` times (Poisson). */
  poisson: (mean: number) => number;
};

/** Sets the mean above which a Poisson variable is drawn as a normal one. */
const MANY = 50;

/** Makes a source of draws. */
export const drawing = (seed: number): Draw => {
  let step = 0;
  const uniform = () => (mix32(seed, ++step) + 0.5) / 2 ** 32;
  const normal = () => normalQuantile(uniform());
  return {
    below: (limit) => Math.floor(uniform() * limit),
    gamma: (shape) => boundOf({ expected: shape, shape }, normal()),
    poisson: (mean) => {
      if (mean > MANY) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
      const none = Math.exp(-mean);
      let count = 0;
      for (let rest = uniform(); rest > none; rest *= uniform()) count += 1;
      return count;
    },
  };
};

/**
 * Holds what is expected, which is about as likely to be exceeded as not, and the bounds with a probability of 95 %.
 */
export type Range = { expected: number; low: number; high: number };

/** Returns the median of draws, since a few lucky ones would move their mean far up, and the bounds of most of them. */
export const rangeOf = (draws: readonly number[]): Range => {
  const sorted = draws.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { expected: at(0.5), low: at(0.025), high: at(0.975) };
};
