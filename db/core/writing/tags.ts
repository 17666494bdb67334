import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Db } from "../client.ts";

/** Selects the tag of a row: a version of its own columns, as 16 hex digits. Usage is no part of it. */
export const tagOf = (row: SQLWrapper): SQL<string> => sql<string>`tag_of(to_jsonb(${row}))`;

/**
 * Makes the statement that judges the tags which a caller wants a row to have. It goes behind the statement that locks the
 * row. Only changes that may not write the row need it: else triggers of the tables judge as it is written.
 */
export const requireTag = (db: Db, table: PgTable, own: SQL | undefined) =>
  db.execute(sql`select require_match(${tagOf(table)}) from ${table} where ${own}`);
