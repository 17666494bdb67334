const LEAST = 1;

/** Holds how often something happened, and how often it was expected to. */
export type Outcome = { count: number; expected: number };

/**
 * Estimates how many events the common rate outweighs, from how far counts stray from it: the less they do beyond chance,
 * the more it weighs. By moments, from 1 on.
 *
 * @param most bounds the estimate
 * @returns `usual` when too little happened to tell
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
