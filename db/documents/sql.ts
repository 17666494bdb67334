import { sql, type SQL } from "drizzle-orm";

/** Turns a time into milliseconds since 1970. */
export const millis = (time: SQL | SQL.Aliased) => sql`floor(extract(epoch from ${time}) * 1000)::bigint`;
