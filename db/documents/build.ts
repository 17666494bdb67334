import { sql, type SQL } from "drizzle-orm";
import { ROUTINE_NAMES } from "#routine-names";
import type { Db } from "../core/client.ts";
import { subjectOf, type DocumentKey } from "./keys.ts";
import { ANY, boundsOf } from "./candidates/narrowing.ts";
import { millis } from "./sql.ts";
import type { Documents, Stored } from "./types.ts";

/** Calls a routine with a value for each of its parameters. */
const callOf = (routine: keyof typeof ROUTINE_NAMES, ...values: (string | number | null)[]): SQL =>
  sql`${sql.identifier(ROUTINE_NAMES[routine])}(${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )})`;

const contentOf = (key: DocumentKey): SQL => {
  const subject = subjectOf(key);
  if (subject.kind === "placement") return callOf("placement", subject.placementId);
  if (subject.kind === "key") return callOf("key", subject.publicKey);
  if (subject.kind === "network") return callOf("network");
  const { placementId, country, narrowing } = subject;
  if (!narrowing) return callOf("candidates", placementId, country);
  const { language, currency, paymentType, band } = narrowing;
  const { from, below } = band === ANY ? { from: null, below: null } : boundsOf(band);
  return callOf("narrow", placementId, country, language, currency, paymentType, from, below);
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
