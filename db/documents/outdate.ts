import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import type { DocumentKey } from "./keys.ts";
import type { Stored } from "./types.ts";

/**
 * Limits how many outdated documents a change returns, so that no request publishes more. The cron publishes the
 * others.
 */
export const MOST_TOLD = sql.raw("200");

/**
 * Carries what a change led to: its result, the documents that it outdated, up to a limit, and the new state of those
 * that its own batch has built. `announce` publishes them.
 */
export type Changed<Value> = {
  value: Value;
  outdated: readonly DocumentKey[];
  built?: ReadonlyMap<DocumentKey, Stored>;
};

/** Turns a change's result into another form. All else that the change led to stays with it. */
export const withValue = <From, To>(changed: Changed<From>, form: (value: From) => To): Changed<To> => ({
  ...changed,
  value: form(changed.value),
});

/**
 * Makes the part of a statement that notes documents in the outbox, so that the change and the note are one.
 *
 * @param keys a query of one column of document keys, spelled by `documentKeySql`
 * @returns an insert that returns `document_key`
 */
export const outdateSql = (keys: SQL): SQL =>
  sql`insert into publish_outbox (document_key) ${keys} returning document_key`;

/** Holds a row that {@link outdateSql} returns. */
export type OutdatedRow = { document_key: DocumentKey };

/** Makes the statement that notes documents in the outbox, for the batch of the change that outdates them. */
export const outdate = (db: Db, keys: SQL) =>
  db.execute<OutdatedRow>(
    sql`with outdated as (${outdateSql(keys)}) select document_key from outdated limit ${MOST_TOLD}`,
  );

/** Selects the documents that the part of a statement named `outdated` noted, as a list. */
export const toldSql = sql`(
  select coalesce(jsonb_agg(document_key), '[]') from (select document_key from outdated limit ${MOST_TOLD}) told)`;

/** Lists the keys that {@link outdate} noted. */
export const outdatedBy = (result: { rows: OutdatedRow[] }): DocumentKey[] =>
  result.rows.map((row) => row.document_key);
