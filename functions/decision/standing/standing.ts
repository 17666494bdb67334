/** Holds a level for each candidate, the lower the earlier, and a score within the level, the higher the earlier. */
export type Standing = { levels: Int32Array; scores: Float64Array };

/** Makes room for the standing of so many candidates. */
export const standingOf = (count: number): Standing => ({
  levels: new Int32Array(count),
  scores: new Float64Array(count),
});

/** Holds the standing of one decision, which the next one overwrites: no two decisions run at the same time. */
let reused = standingOf(64);

/** Returns room for the standing of so many candidates, which the next decision uses again. */
export const standingFor = (count: number): Standing => {
  if (count > reused.levels.length) reused = standingOf(count);
  return reused;
};

/** Marks a candidate that is not for the request. */
export const OUT = -1;

/** Puts an offer behind all others when added to its priority. */
export const LAST = 1_000;

/**
 * Returns the priority of a level, which an advertiser's first offer and its others share; offers that come last have a
 * higher one.
 */
export const priorityAt = (level: number | undefined): number => (level ?? 0) >> 1;

/** Tells whether two levels are of one priority. */
export const isAlike = (a: number | undefined, b: number | undefined): boolean => priorityAt(a) === priorityAt(b);
