import { sql, type SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/** Describes a page of a list: it leaves out the first `skip` rows and shows at most `take`. */
export type Page = { skip: number; take: number };

/** Formats a time in SQL as answers show it: ISO 8601, UTC, with milliseconds. Use it where a query builds JSON. */
export const jsonTime = (column: SQL): SQL =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Selects the newest thousand rows of a table: an answer shows no more rows that belong to one thing. */
export const newest = (table: PgTable, where: SQL): SQL =>
  sql`select * from ${table} where ${where} order by created_at desc, id limit 1000`;

/** Returns a LIKE pattern that matches every text containing this one, character by character. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
