import { sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { jsonTime, type Page } from "../core/paging.ts";
import { buildStatement, builtDocuments } from "../documents/build.ts";
import type { DocumentKey } from "../documents/keys.ts";
import type { Stored } from "../documents/types.ts";
import { publishOutbox } from "../schema/publishing.ts";

/** Names a document that waits for publication, and its first outbox entry. */
export type Unpublished = { key: DocumentKey; since: number };

/**
 * Lists documents that wait for their publication, longest first.
 *
 * @param after leaves out those that wait since this entry or an earlier one
 */
export const findUnpublished = async (db: Db, limit: number, after: number): Promise<Unpublished[]> => {
  const since = sql<number>`min(${publishOutbox.id})`.mapWith(Number);
  const rows = await db
    .select({ key: publishOutbox.documentKey, since })
    .from(publishOutbox)
    .groupBy(publishOutbox.documentKey)
    .having(sql`${since} > ${after}`)
    .orderBy(since)
    .limit(limit);
  return rows.map(({ key, since: first }) => ({ key: key as DocumentKey, since: first }));
};

/** Describes a document that waits: since when (ISO 8601), and how many changes of it. */
export type Waiting = { key: string; since: string; changes: number };

/** Lists documents that wait for their publication, longest first. */
export const listOutbox = async (db: Db, { skip, take }: Page): Promise<{ rows: Waiting[]; total: number }> => {
  const [{ rows }, counted] = await db.batch([
    db.execute<Waiting>(sql`
      select document_key as key, ${jsonTime(sql`min(created_at)`)} as since, count(*)::double precision as changes
      from publish_outbox group by document_key
      order by min(id) offset ${skip}::bigint limit ${take}::bigint`),
    db.execute<{ total: number }>(sql`
      select count(distinct document_key)::double precision as total from publish_outbox`),
  ]);
  return { rows, total: counted.rows[0]?.total ?? 0 };
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
