import { PARTS } from "./arms.ts";

/**
 * Holds what one part of the sessions adds to the comparison of two arms, in any unit of money.
 *
 * `requests` counts the requests of held-out sessions, `got` is what they earned, and `expected` what as many requests
 * of learned sessions earn. What this part's learned sessions earned beyond the usual comes in two scales: `beyond` is
 * its effect on what is expected, `spread` is how far as many requests as are held out would vary, if they earn alike.
 */
export type Part = { requests: number; got: number; expected: number; beyond: number; spread: number };

/**
 * Says how much more a request earns when it is served by what was learned, in the unit of the parts: the measured
 * difference, and the bounds between which it lies with a confidence of 95 %, however often it is looked at.
 */
export type Gain = { difference: number; low: number; high: number };

/** Sets how often the interval may miss the truth at any time. */
const MISSED = 0.05;

/** Sets at how many held-out requests the interval is narrowest for that number. */
const NARROWEST = 2_000;

/**
 * Sets how many payments have to be expected from held-out sessions, and over how many parts such sessions have to be
 * spread, before a difference can be told from chance: one session does not differ from others, whatever it earns.
 */
const ENOUGH = 10;

/** Holds the term that makes the interval narrowest at that number. */
const AT_NARROWEST = -2 * Math.log(MISSED) + Math.log(-2 * Math.log(MISSED)) + 1;

/**
 * Returns how many standard errors an estimate may be off, at all times from now on, in nineteen of twenty cases
 * (Waudby-Smith and others, "Time-uniform central limit theory and asymptotic confidence sequences", 2021).
 *
 * @param size how many requests the estimate has
 */
export const strayOf = (size: number): number => {
  const spread = (size * AT_NARROWEST) / NARROWEST;
  return Math.sqrt(((2 * (spread + 1)) / spread) * Math.log(Math.sqrt(spread + 1) / MISSED));
};

const sumOf = (parts: readonly Part[], of: (part: Part) => number): number =>
  parts.reduce((sum, part) => sum + of(part), 0);

/** Returns the variance of a sum over all parts, from how far each is off its expected value. */
const varianceOf = (parts: readonly Part[], strays: (part: Part) => number): number =>
  (sumOf(parts, (part) => strays(part) ** 2) * PARTS) / (PARTS - 1);

/**
 * Compares what requests earn that are served by what was learned with what held-out ones earn.
 *
 * Sessions fall into parts by chance, each with all that it asks for and earns at any time. So parts differ by chance
 * alone, and how much they do measures chance, however the requests and payments of one session belong together.
 * Held-out sessions are few, and may lack what is paid for rarely and highly; so they are assumed to vary at least as
 * much as others do.
 *
 * @param parts those in which something happened; the others count as zero
 * @returns null while too little was paid for, or by too few sessions, to tell
 */
export const gainOf = (parts: readonly Part[]): Gain | null => {
  // The sum of equal payments varies by the square root of their number; unequal ones vary like fewer equal ones.
  const usual = varianceOf(parts, ({ spread }) => spread);
  const payments = sumOf(parts, ({ expected }) => expected) ** 2 / usual;
  if (!(payments >= ENOUGH) || parts.filter((part) => part.requests > 0).length < ENOUGH) return null;
  const requests = sumOf(parts, (part) => part.requests);
  const difference = sumOf(parts, ({ expected, got }) => expected - got) / requests;
  const own = varianceOf(parts, (part) => part.expected - part.got - difference * part.requests);
  const learned = varianceOf(parts, ({ beyond }) => beyond);
  const width = (strayOf(requests) * Math.sqrt(Math.max(own, usual) + learned)) / requests;
  return { difference, low: difference - width, high: difference + width };
};
