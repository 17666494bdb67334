import { mix32 } from "../../../functions/core/hash.ts";
import { normalQuantile } from "../../../functions/decision/learning/normal.ts";

/** Draws numbers that are the same for the same seed. */
export type Random = {
  /** Draws between 0 and 1, without either. */
  uniform: () => number;
  normal: () => number;
  /** Draws a whole number below a limit. */
  below: (limit: number) => number;
};

/** Returns a source of random numbers. Seeds may be any whole numbers; each makes a sequence of its own. */
export const randomOf = (...seeds: number[]): Random => {
  const start = seeds.reduce((mixed, seed) => mix32(mixed, seed + 1), 0x5eed_0015);
  let step = 0;
  const uniform = () => (mix32(start, ++step) + 0.5) / 2 ** 32;
  return {
    uniform,
    normal: () => normalQuantile(uniform()),
    below: (limit) => Math.floor(uniform() * limit),
  };
};

/** Returns a number between 0 and 1 for what happens by chance, the same whoever asks. */
export const chanceOf = (seed: number, event: number): number => (mix32(seed, event) + 0.5) / 2 ** 32;

/** Returns where a random number falls among shares that add up to 1: their sums are given, in order. */
export const fallsIn = (sums: readonly number[], u: number): number => {
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 1) < u) low = middle + 1;
    else high = middle;
  }
  return low;
};
