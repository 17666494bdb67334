import { sql, type SQL } from "drizzle-orm";

/** Turns a time into milliseconds since 1970. */
export const millis = (time: SQL | SQL.Aliased) => sql`floor(extract(epoch from ${time}) * 1000)::bigint`;

/**
 * Names the setting of a transaction in which lists are drawn the same each time: a whole number that seeds the draws.
 * Without it, draws are random.
 */
export const DRAWS_SETTING = "lanyap.draws";
