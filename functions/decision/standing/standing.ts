/** Holds what a request makes of each candidate: a level, the smaller the earlier, and within it a score, the higher. */
export type Standing = { levels: Int32Array; scores: Float64Array };

/** Makes room for what a request makes of so many candidates. */
export const standingOf = (count: number): Standing => ({
  levels: new Int32Array(count),
  scores: new Float64Array(count),
});

/** Holds what one decision makes of a list, and the next overwrites: none is under way beside another. */
let reused = standingOf(64);

/** Returns room for what one decision makes of so many candidates; the next decision has the same. */
export const standingFor = (count: number): Standing => {
  if (count > reused.levels.length) reused = standingOf(count);
  return reused;
};

/** Marks a candidate that is not for the request. */
export const OUT = -1;

/** Comes after all priorities. */
export const LAST = 1_000;

/** Returns what a level has in common for an advertiser's first offer and its others: the priority, where it is not last. */
export const priorityAt = (level: number | undefined): number => (level ?? 0) >> 1;

/** Tells whether two levels are of one priority. */
export const isAlike = (a: number | undefined, b: number | undefined): boolean => priorityAt(a) === priorityAt(b);
