/** Measures a day in seconds. */
export const DAY_SECONDS = 86_400;

/** Measures an hour in milliseconds. */
export const HOUR_MS = 3_600_000;

/** Measures a day in milliseconds. */
export const DAY_MS = 1_000 * DAY_SECONDS;
