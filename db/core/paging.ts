import { sql, type SQL } from "drizzle-orm";

/** A part of a list: `skip` rows left out, at most `take` shown. */
export type Page = { skip: number; take: number };

/** A time as answers show it, for JSON that is built in a query: ISO 8601, UTC, milliseconds. */
export const jsonTime = (column: SQL): SQL =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A LIKE pattern for texts that contain this one literally. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
