import { sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { buildStatement, builtDocuments } from "../documents/build.ts";
import type { DocumentKey } from "../documents/keys.ts";
import type { Stored } from "../documents/types.ts";
import { publishOutbox } from "../schema/publishing.ts";

/** Lists documents that wait for their publication, longest first. */
export const findUnpublished = async (db: Db, limit: number): Promise<DocumentKey[]> => {
  const rows = await db
    .select({ key: publishOutbox.documentKey })
    .from(publishOutbox)
    .groupBy(publishOutbox.documentKey)
    .orderBy(sql`min(${publishOutbox.id})`)
    .limit(limit);
  return rows.map((row) => row.key as DocumentKey);
};

/** Holds a document to publish, and the outbox entries that its publication settles. */
export type Publication = { document: Stored; entries: number[] };

/**
 * Reads a document's outbox entries and then builds it, in one round trip. An entry committed in between may stand for
 * a change that this document misses, so it is not among the settled ones.
 */
export const beginPublication = async (db: Db, key: DocumentKey): Promise<Publication> => {
  const [entries, built] = await db.batch([
    db
      .select({ id: publishOutbox.id })
      .from(publishOutbox)
      .where(sql`${publishOutbox.documentKey} = ${key}`),
    buildStatement(db, [key]),
  ]);
  const document = builtDocuments(built).get(key);
  if (!document) throw new Error("a document was not built");
  return { document, entries: entries.map((entry) => entry.id) };
};

/** Removes the entries that a publication settled; any number of them is one parameter. */
export const endPublication = async (db: Db, entries: readonly number[]): Promise<void> => {
  if (entries.length === 0) return;
  await db.delete(publishOutbox).where(sql`${publishOutbox.id} = any (${`{${entries.join()}}`}::bigint[])`);
};
