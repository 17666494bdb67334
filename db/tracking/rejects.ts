import { sql, type SQL } from "drizzle-orm";
import type { Actor } from "../accounts/actor.ts";
import { ownedBy, withinReach } from "../accounts/reach.ts";
import type { Db } from "../core/client.ts";
import { jsonTime, type Page } from "../core/paging.ts";
import { NO_CUSTOMER } from "./hits.ts";

/**
 * Describes a message that could not be understood, as its owner may read it: without its customer. `createdAt` is ISO
 * 8601.
 */
export type ListedReject = {
  id: string;
  publisherId: string | null;
  platformId: string | null;
  reason: string;
  body: string;
  createdAt: string;
};

const isOwn = (actor: Actor): SQL => ownedBy(actor, sql`t.publisher_id`, sql`t.platform_id`);

const LINKS = sql.raw(`'"(${Object.keys(NO_CUSTOMER).join("|")})":"[^"]*"'`);

/** Removes the hashes that name a customer from a text of JSON, in SQL. */
export const anonymous = (body: SQL): SQL => sql`regexp_replace(${body}, ${LINKS}, '"\\1":null', 'g')`;

/** Describes a message that could not be understood, and what it seems to name. */
export type Reject = { id: string; reason: string; body: string; placementId?: string | null; offerId?: string | null };

/**
 * Stores messages that could not be understood with their owner, whole except for erased customers; a repeated id is
 * stored once.
 */
export const recordRejects = async (db: Db, rejects: readonly Reject[]): Promise<void> => {
  await db.execute(sql`
    insert into tracking_rejects (id, publisher_id, platform_id, reason, body)
    select r.id, home.publisher_id, coalesce(home.platform_id, a.platform_id), r.reason, case
      when exists (
        select from erasures x
        where (home.publisher_id is null or x.publisher_id = home.publisher_id) and strpos(r.body, x.hash) > 0)
      then ${anonymous(sql`r.body`)} else r.body end
    from jsonb_to_recordset(${JSON.stringify(rejects)}::jsonb)
      as r (id text, reason text, body text, "placementId" text, "offerId" text)
    left join lateral (
      select b.id as publisher_id, b.platform_id from placements p join sites s on s.id = p.site_id
      join publishers b on b.id = s.publisher_id where p.id = r."placementId"
    ) home on true
    left join offers o on o.id = r."offerId"
    left join advertisers a on a.id = o.advertiser_id
    on conflict do nothing`);
};

/** Lists an actor's messages that could not be understood, the latest first. */
export const listRejects = async (
  db: Db,
  actor: Actor,
  { skip, take }: Page,
): Promise<{ rows: ListedReject[]; total: number }> => {
  const [{ rows }, counted] = await db.batch([
    db.execute<ListedReject>(sql`
      select t.id, t.publisher_id as "publisherId", t.platform_id as "platformId", t.reason,
        ${anonymous(sql`t.body`)} as body, ${jsonTime(sql`t.created_at`)} as "createdAt"
      from tracking_rejects t where ${isOwn(actor)}
      order by t.created_at desc, t.id offset ${skip}::bigint limit ${take}::bigint`),
    db.execute<{ total: number }>(sql`
      select count(*)::double precision as total from tracking_rejects t where ${isOwn(actor)}`),
  ]);
  return { rows, total: counted.rows[0]?.total ?? 0 };
};

/**
 * Finds an actor's messages by their ids, whole.
 *
 * @param ids null for any, the oldest first
 */
export const findRejects = async (
  db: Db,
  actor: Actor,
  ids: readonly string[] | null,
  limit: number,
): Promise<{ id: string; body: string }[]> => {
  const named =
    ids === null ? sql`true` : sql`t.id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`;
  const { rows } = await db.execute<{ id: string; body: string }>(sql`
    select t.id, t.body from tracking_rejects t where ${isOwn(actor)} and ${named}
    order by t.created_at, t.id limit ${limit}::bigint`);
  return rows;
};

/**
 * Notes under the request's idempotency key which messages are tried again. On a retry, returns those of the first
 * time.
 */
export const noteReplayed = async (db: Db, ids: string[]): Promise<string[]> => {
  if (!db.writing?.key) return ids;
  const [{ rows }] = await db.change([db.execute<{ ids: string[] }>(sql`select ${JSON.stringify(ids)}::json as ids`)]);
  return rows[0]?.ids ?? [];
};

/** Removes messages that were understood after all. */
export const removeRejects = async (db: Db, ids: readonly string[]): Promise<void> => {
  await db.execute(sql`
    delete from tracking_rejects where id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`);
};

/** Finds which of some placements an actor reaches; the administrator reaches all, also those that are gone. */
export const findReached = async (
  db: Db,
  actor: Actor,
  placementIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (actor.kind === "admin") return new Set(placementIds);
  const { rows } = await db.execute<{ id: string }>(sql`
    select p.id from placements p join sites s on s.id = p.site_id join publishers on publishers.id = s.publisher_id
    where p.id in (select jsonb_array_elements_text(${JSON.stringify(placementIds)}::jsonb)) and ${withinReach(actor)}`);
  return new Set(rows.map(({ id }) => id));
};
