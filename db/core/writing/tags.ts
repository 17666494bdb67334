import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Db } from "../client.ts";

/** Selects the tag of a row: a hash of its own columns, as 16 hex digits. Usage is not part of it. */
export const tagOf = (row: SQLWrapper): SQL<string> => sql<string>`tag_of(to_jsonb(${row}))`;

/**
 * Makes the statement that checks whether a row has a tag that the caller requires. It goes after the statement that
 * locks the row. Only changes that may leave the row unwritten need it: otherwise triggers check the tag when the row
 * is written.
 */
export const requireTag = (db: Db, table: PgTable, own: SQL | undefined) =>
  db.execute(sql`select require_match(${tagOf(table)}) from ${table} where ${own}`);
