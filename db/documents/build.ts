import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { candidatesQuery } from "./candidates.ts";
import { keyQuery, placementQuery } from "./inventory.ts";
import { subjectOf, type DocumentKey } from "./keys.ts";
import { networkQuery } from "./network.ts";
import { millis } from "./sql.ts";
import type { Documents, Stored } from "./types.ts";

const queryOf = (key: DocumentKey): SQL => {
  const subject = subjectOf(key);
  if (subject.kind === "placement") return placementQuery(subject.placementId);
  if (subject.kind === "key") return keyQuery(subject.publicKey);
  if (subject.kind === "network") return networkQuery();
  return candidatesQuery(subject.placementId, subject.country, subject.narrowing);
};

type DocumentRow = { key: DocumentKey; value: Documents[keyof Documents] | null; built_at: string };

/** Makes the statement that builds documents from the tables, all of one moment. It runs when awaited or batched. */
export const buildStatement = (db: Db, keys: readonly DocumentKey[]) => {
  const parts = keys.map((key) => sql`select ${key}::text as key, (${queryOf(key)}) as value`);
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
