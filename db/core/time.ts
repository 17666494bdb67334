/** Measures a day in seconds. */
export const DAY_SECONDS = 86_400;

/** Measures an hour in milliseconds. */
export const HOUR_MS = 3_600_000;

/** Measures a day in milliseconds. */
export const DAY_MS = 1_000 * DAY_SECONDS;

/** Returns the UTC day of a time in milliseconds since 1970, as `YYYY-MM-DD`. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
