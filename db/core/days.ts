import { sql, type SQL } from "drizzle-orm";

/**
 * Makes an interval of so many days of 24 hours. Postgres' own days follow the session's time zone: where its clocks
 * change, one day has 23 hours and one 25.
 */
export const daysLong = (count: number): SQL => sql.raw(`interval '${24 * count} hours'`);
