import { PARTS } from "./arms.ts";

/**
 * Holds what a part of the sessions makes of a comparison of two arms, in any unit of money.
 *
 * `requests` counts those of sessions that are held out, `got` is what they earned, and `expected` what as many earn of those
 * that are served by what was learned. What the latter earned in this part beyond their usual is told twice: `beyond` by how
 * it moves what is expected, `spread` by how far that many requests stray that are held out, if they earn alike.
 */
export type Part = { requests: number; got: number; expected: number; beyond: number; spread: number };

/**
 * Says what a request earns more when it is served by what was learned, in the unit of the parts: what was measured, and
 * between what it lies with a confidence of 95 %, however often it is looked at.
 */
export type Gain = { difference: number; low: number; high: number };

/** Sets how often the interval misses the truth at some time. */
const MISSED = 0.05;

/** Sets for how many requests that are held out the interval is narrowest for its number. */
const NARROWEST = 2_000;

/** Sets how many payments are expected of sessions that are held out before chance can be told. */
const ENOUGH_PAYMENTS = 10;

/** Holds what makes the interval narrowest at that number. */
const AT_NARROWEST = -2 * Math.log(MISSED) + Math.log(-2 * Math.log(MISSED)) + 1;

/**
 * Returns by how many standard errors an estimate strays at most from what it estimates, at all times from now on, but for one
 * in twenty (Waudby-Smith and others, "Time-uniform central limit theory and asymptotic confidence sequences", 2021).
 *
 * @param size how many requests the estimate has
 */
export const strayOf = (size: number): number => {
  const spread = (size * AT_NARROWEST) / NARROWEST;
  return Math.sqrt(((2 * (spread + 1)) / spread) * Math.log(Math.sqrt(spread + 1) / MISSED));
};

const sumOf = (parts: readonly Part[], of: (part: Part) => number): number =>
  parts.reduce((sum, part) => sum + of(part), 0);

/** Returns the variance of a sum over all parts, of how far each strays. */
const varianceOf = (parts: readonly Part[], strays: (part: Part) => number): number =>
  (sumOf(parts, (part) => strays(part) ** 2) * PARTS) / (PARTS - 1);

/**
 * Compares what requests earn that are served by what was learned with what they earn that are held out.
 *
 * Sessions are in parts by chance, each with all that it asks for and earns at any time. So parts are alike but for chance, and
 * how they differ tells how far it goes, however requests and payments of one session belong together. Held-out sessions are
 * few, and may lack what is paid for rarely and highly; so they are taken to stray as far as others do, or farther.
 *
 * @param parts those in which something happened; of the others each is nothing
 * @returns null while too little was paid for to tell
 */
export const gainOf = (parts: readonly Part[]): Gain | null => {
  // Payments of one size stray by the square root of their number, unequal ones like fewer.
  const usual = varianceOf(parts, ({ spread }) => spread);
  const payments = sumOf(parts, ({ expected }) => expected) ** 2 / usual;
  if (!(payments >= ENOUGH_PAYMENTS)) return null;
  const requests = sumOf(parts, (part) => part.requests);
  const difference = sumOf(parts, ({ expected, got }) => expected - got) / requests;
  const own = varianceOf(parts, (part) => part.expected - part.got - difference * part.requests);
  const learned = varianceOf(parts, ({ beyond }) => beyond);
  const width = (strayOf(requests) * Math.sqrt(Math.max(own, usual) + learned)) / requests;
  return { difference, low: difference - width, high: difference + width };
};
