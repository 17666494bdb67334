/**
 * Bounds what is estimated. Counts come mostly from what is shown most, which is much alike, so that estimates come out too
 * high; and an offer that begins badly should not be held to its advertiser's rate for long.
 */
const LEAST = 1;
const MOST = 8;

/** Holds how often something happened, and how often it was expected to. */
export type Outcome = { count: number; expected: number };

/**
 * Estimates how many events the common rate outweighs, from how far counts stray from it: the less they do beyond chance,
 * the more it weighs. By moments, within 1 and 8.
 *
 * @returns `usual` when too little happened to tell
 */
export const strengthOf = (outcomes: readonly Outcome[], usual: number): number => {
  let squares = 0;
  let beyond = 0;
  let events = 0;
  for (const { count, expected } of outcomes) {
    squares += expected * expected;
    beyond += (count - expected) ** 2 - expected;
    events += count;
  }
  if (events < 100 || outcomes.length < 20) return usual;
  return beyond <= 0 ? MOST : Math.min(MOST, Math.max(LEAST, squares / beyond));
};
