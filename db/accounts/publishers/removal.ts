import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../../core/client.ts";
import { documentKeySql } from "../../documents/keys.ts";
import { MOST_TOLD, outdateSql, type OutdatedRow } from "../../documents/outdate.ts";

/** Limits how many rows each statement of a step removes. */
const ROWS = sql.raw("500");

/** Selects a deletion by its id: so nothing below something that still exists is ever removed. */
const deletion = (id: string): SQL => sql`(select d.id from deletions d where d.id = ${id})`;

/** Selects sites below what was deleted, and its own id in case it is a site. */
const someSites = (id: string): SQL => sql`(
  select s.id from ${deletion(id)} d cross join lateral (
    select id from sites where publisher_id = d.id order by created_at desc, id limit ${ROWS}) s
  union all select d.id from ${deletion(id)} d)`;

/** Selects a bounded number of a table's rows below some sites. */
const below = (sites: SQL, table: SQL): SQL => sql`(
  select b.* from ${sites} above cross join lateral (
    select * from ${table} where site_id = above.id limit ${ROWS}) b limit ${ROWS})`;

const ofPublisher = (table: SQL, key: SQL, id: string, goes: SQL = sql`true`): SQL => sql`
  delete from ${table} where ${key} = any (array(
    select b.${key} from ${deletion(id)} d cross join lateral (
      select ${key} from ${table} where publisher_id = d.id and ${goes} limit ${ROWS}) b))`;

/** Tells the records of a publisher from the record of its deletion, which stays. */
const isHistory = sql`not (resource_id = publisher_id and action = 'delete')`;

/**
 * Makes the statements of a step of a deletion, for a batch. Each removes a bounded number of rows below what was
 * deleted, so that a step may be repeated, and interrupted at any point. The last statement ends the deletion when
 * nothing is left.
 *
 * The caller need not know what kind of thing an id names, as no two kinds share an id. Placements of a deleted site
 * are outdated; those of a deleted publisher are not, since its keys no longer open anything.
 *
 * @param id what was deleted; nothing happens if there is no such deletion
 */
export const removalStep = (db: Db, id: string) => {
  const placements = sql`(select id from ${below(someSites(id), sql`placements`)} p union all select d.id from ${deletion(id)} d)`;
  const linked = sql`(session_hash is not null or email_hash is not null)`;
  return [
    // With a few large publishers, a scan of a whole table looks cheap to the planner. Without a caller, the rows that
    // are removed are not audited one by one.
    db.execute(sql`select set_config('enable_seqscan', 'off', true), set_config('lanyap.caller', '', true)`),
    db.execute(sql`select id from deletions where id = ${id} for update`),
    db.execute(sql`
      update events set session_hash = null, email_hash = null where (issued_on, id) in (
        select e.issued_on, e.id from ${placements} p cross join lateral (
          select issued_on, id from events where placement_id = p.id and ${linked} limit ${ROWS} for update skip locked
        ) e limit ${ROWS})`),
    db.execute<OutdatedRow>(sql`
      with removed as (
        delete from placements where id = any (array(select p.id from ${placements} p where not has_below(p.id)))
        returning id, site_id
      ), outdated as (${outdateSql(sql`select ${documentKeySql.placement(sql`id`)} from removed where site_id = ${id}`)})
      select document_key from outdated limit ${MOST_TOLD}`),
    db.execute(sql`
      delete from webhook_logs where id = any (array(select l.id from ${below(someSites(id), sql`webhook_logs`)} l))`),
    db.execute(sql`
      delete from partner_zone_jobs where site_id = any (array(select s.id from ${someSites(id)} s))`),
    db.execute(sql`
      delete from sites where id = any (array(select s.id from ${someSites(id)} s where not has_below(s.id)))`),
    db.execute(ofPublisher(sql`public_keys`, sql`key`, id)),
    db.execute(ofPublisher(sql`api_tokens`, sql`id`, id)),
    db.execute(ofPublisher(sql`webhook_events`, sql`id`, id)),
    db.execute(ofPublisher(sql`tracking_rejects`, sql`id`, id)),
    db.execute(ofPublisher(sql`audit_log`, sql`id`, id, isHistory)),
    db.execute(sql`delete from deletions where id = ${id} and not has_below(id)`),
  ] as const;
};

/** Makes the statement that gives the next step to the deletion that has waited longest for one. */
const giveTurn = (db: Db) =>
  db.execute<{ id: string }>(sql`
    update deletions set stepped_at = clock_timestamp()
    where id = (select id from deletions order by stepped_at, id limit 1) returning id`);

/** Returns the deletion whose turn it is; null when there is none. */
export const firstRemoval = async (db: Db): Promise<string | null> => (await giveTurn(db)).rows[0]?.id ?? null;

/**
 * Does a step of a deletion.
 *
 * @returns the deletion whose turn is next: deletions take turns, so that a large one does not hold up a small one
 */
export const continueRemoval = async (db: Db, id: string): Promise<string | null> => {
  const step = removalStep(db, id);
  const results = await db.batch([...step, giveTurn(db)]);
  return results[step.length].rows[0]?.id ?? null;
};
