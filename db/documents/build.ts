import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { subjectOf, type DocumentKey } from "./keys.ts";
import { ANY, boundsOf } from "./candidates/narrowing.ts";
import { callOf, routines } from "./routines.ts";
import { millis } from "./sql.ts";
import type { Documents, Stored } from "./types.ts";

const contentOf = (key: DocumentKey): SQL => {
  const subject = subjectOf(key);
  if (subject.kind === "placement") return callOf(routines().placement, subject.placementId);
  if (subject.kind === "key") return callOf(routines().key, subject.publicKey);
  if (subject.kind === "network") return callOf(routines().network);
  const { placementId, country, narrowing } = subject;
  if (!narrowing) return callOf(routines().candidates, placementId, country);
  const { language, currency, paymentType, band } = narrowing;
  const { from, below } = band === ANY ? { from: null, below: null } : boundsOf(band);
  return callOf(routines().narrow, placementId, country, language, currency, paymentType, from, below);
};

type DocumentRow = { key: DocumentKey; value: Documents[keyof Documents] | null; built_at: string };

/**
 * Makes the statement that builds documents from the tables, all of one moment. It runs when awaited or batched, and calls
 * functions that the database keeps for this version.
 */
export const buildStatement = (db: Db, keys: readonly DocumentKey[]) => {
  const parts = keys.map((key) => sql`select ${key}::text as key, ${contentOf(key)} as value`);
  return db.execute<DocumentRow>(
    sql`select d.key, d.value, ${millis(sql`statement_timestamp()`)} as built_at from (${sql.join(parts, sql` union all `)}) d`,
  );
};

/** Reads what {@link buildStatement} answered: an entry for every key. */
export const builtDocuments = (result: { rows: DocumentRow[] }): Map<DocumentKey, Stored> =>
  new Map(result.rows.map((row) => [row.key, { builtAt: Number(row.built_at), value: row.value }]));

/** Builds documents from the tables with one statement. */
export const buildDocuments = async (db: Db, keys: readonly DocumentKey[]): Promise<Map<DocumentKey, Stored>> =>
  builtDocuments(await buildStatement(db, keys));
