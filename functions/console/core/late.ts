/** Says for how many seconds a change may wait to be published before it is late. */
export const PUBLISHING_LATE_S = 120;

const CRON_LATE_MS = 15 * 60_000;

/** Tells whether a duty of the cron, which runs each minute, ended too long ago, in milliseconds since 1970. */
export const isCronLate = (endedAt: string, now: number): boolean => now - Date.parse(endedAt) > CRON_LATE_MS;
