import { sql, type SQL } from "drizzle-orm";

/** Turns a time into milliseconds since 1970. */
export const millis = (time: SQL | SQL.Aliased) => sql`floor(extract(epoch from ${time}) * 1000)::bigint`;

/**
 * Names the setting of a transaction whose lists are to be drawn the same each time: a whole number, and other lists for
 * another one. Without it chance draws.
 */
export const DRAWS_SETTING = "lanyap.draws";
