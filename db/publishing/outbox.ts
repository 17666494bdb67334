import { sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { jsonTime, type Page } from "../core/paging.ts";
import { buildStatement, builtDocuments } from "../documents/build.ts";
import type { DocumentKey } from "../documents/keys.ts";
import type { Stored } from "../documents/types.ts";
import { publishOutbox } from "../schema/publishing.ts";

/** Limits how many entries are read at once: many changes of large sites may leave millions. */
const ENTRIES = sql.raw("10000");

/** Names documents that wait for publication, and the entry after which others wait; null when none do. */
export type Unpublished = { keys: DocumentKey[]; next: number | null };

/**
 * Lists some documents that wait for their publication, longest first.
 *
 * @param limit how many are listed at most
 * @param after leaves out those that wait since this entry or an earlier one
 */
export const findUnpublished = async (db: Db, limit: number, after: number): Promise<Unpublished> => {
  const { rows } = await db.execute<Unpublished>(sql`
    with read as materialized (
      select id, document_key from publish_outbox where id > ${after}::bigint order by id limit ${ENTRIES}
    ), waiting as materialized (
      select r.document_key, min(r.id) as since from read r
      where not exists (select from publish_outbox e where e.document_key = r.document_key and e.id <= ${after}::bigint)
      group by r.document_key order by since limit ${limit}::int
    )
    select coalesce(jsonb_agg(document_key order by since), '[]') as keys,
      case when count(*) = ${limit}::int then max(since)
        when (select count(*) from read) = ${ENTRIES} then (select max(id) from read) end::float8 as next
    from waiting`);
  return rows[0] ?? { keys: [], next: null };
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
