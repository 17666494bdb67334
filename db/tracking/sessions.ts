import { sql, type SQL } from "drizzle-orm";
import type { Actor } from "../accounts/actor.ts";
import { holdPublisher } from "../accounts/hold.ts";
import { withinReach } from "../accounts/reach.ts";
import type { Db } from "../core/client.ts";
import { ForeignError, NotFoundError } from "../core/errors.ts";
import { dayOf } from "./conversions/rows.ts";
import type { Hit } from "./hits.ts";
import { mayStore, ownedOrLeft } from "./owners.ts";
import { anonymous } from "./rejects.ts";

/** Names a customer to forget, by the hashes that events may have: one for each key that customers were hashed with. */
export type Subject = { by: "sessionId" | "email"; hashes: readonly string[] };

/** Counts what was unlinked and removed. */
export type Erased = { events: number; rejects: number };

const listed = (hashes: readonly string[]): SQL =>
  sql.join(
    hashes.map((hash) => sql`${hash}`),
    sql`, `,
  );

const holdsOne = (body: SQL, hashes: readonly string[]): SQL =>
  sql`(${sql.join(
    hashes.map((hash) => sql`strpos(${body}, ${hash}) > 0`),
    sql` or `,
  )})`;

/**
 * Remembers that a customer is to be forgotten at a publisher: once this is committed, nothing that names the customer
 * is stored there. It comes before {@link eraseSubject}, in a transaction of its own: if a hit is stored at the same
 * time, either its own check finds this row, or `eraseSubject` finds the hit. The administrator may name a publisher
 * that is gone.
 *
 * @throws {NotFoundError} when there is no such publisher
 * @throws {ForeignError} when it is out of the actor's reach
 */
export const rememberErasure = async (
  db: Db,
  actor: Actor,
  publisherId: string,
  { hashes }: Subject,
): Promise<void> => {
  const { rows } = await db.execute<{ reachable: boolean }>(sql`
    with target as (
      select id, ${withinReach(actor)} as reachable from publishers where id = ${publisherId}
      union all
      select ${publisherId}, true where ${actor.kind === "admin"}::boolean
        and not exists (select from publishers where id = ${publisherId})
        and (exists (select from former_publishers where id = ${publisherId})
          -- One that was deleted before those were noted may still be known by what it counted.
          or exists (select from daily_counters where publisher_id = ${publisherId}))
    ), remembered as (
      insert into erasures (publisher_id, hash)
      select target.id, h.hash from target cross join unnest(array[${listed(hashes)}]::text[]) as h (hash) where reachable
      on conflict (publisher_id, hash) do update set erased_at = excluded.erased_at
    )
    select reachable from target`);
  const [target] = rows;
  if (!target) throw new NotFoundError("Publisher", publisherId);
  if (!target.reachable) throw new ForeignError();
};

/**
 * Takes a customer out of all events at a publisher's placements and at placements that are gone. The events stay
 * without any link to the customer, so that the counters still agree with them. Of the messages that were never
 * understood and name the customer, those of the publisher are removed; those of its platform, or without an owner,
 * only lose the customer: they may be from another shop that names a session in the same way. Where the publisher is
 * gone, the audit's record belongs to the administrator alone.
 */
export const eraseSubject = async (db: Db, publisherId: string, { by, hashes }: Subject): Promise<Erased> => {
  const column = by === "sessionId" ? sql`session_hash` : sql`email_hash`;
  const holds = holdsOne(sql`body`, hashes);
  const without = hashes.reduce((body, hash) => sql`replace(${body}, ${hash}, '')`, anonymous(sql`body`));
  const erase = db.execute<{ events: string; rejects: string }>(sql`
    with found as (
      select e.issued_on, e.id from events e
      where e.${column} in (${listed(hashes)}) and ${ownedOrLeft(sql`e.placement_id`, publisherId)}
      for update
    ), unlinked as (
      update events e set session_hash = null, email_hash = null from found f
      where e.issued_on = f.issued_on and e.id = f.id
      returning 1
    ), removed as (
      delete from tracking_rejects where ${holds} and publisher_id = ${publisherId} returning 1
    ), anonymized as (
      update tracking_rejects set body = ${without}
      where ${holds} and publisher_id is null and (platform_id is null or platform_id = (
        select b.platform_id from publishers b where b.id = ${publisherId})) returning 1
    )
    select n.events, n.rejects, note_audit('publisher', ${publisherId}, 'erase',
      (select b.id from publishers b where b.id = ${publisherId}), null, null,
      jsonb_build_object('by', ${by}::text, 'events', n.events, 'rejects', n.rejects))
    from (select (select count(*) from unlinked) as events, (select count(*) from removed) + (select count(*) from anonymized) as rejects) n`);
  const [, { rows }] = await db.batch([holdPublisher(db, publisherId), erase]);
  const [row] = rows;
  return { events: Number(row?.events ?? 0), rejects: Number(row?.rejects ?? 0) };
};

/** Finds which of some placements belong to a publisher, or are gone. */
export const findErasable = async (
  db: Db,
  publisherId: string,
  placementIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await db.execute<{ id: string }>(sql`
    select n.id from jsonb_array_elements_text(${JSON.stringify(placementIds)}::jsonb) as n (id)
    where ${ownedOrLeft(sql`n.id`, publisherId)}`);
  return new Set(rows.map(({ id }) => id));
};

/**
 * Takes customers out of hits that were just stored, if their erasure, or the deletion of their publisher, was
 * committed at the same time. The statement that stored the hits could not see that; this one can, since it begins
 * later.
 */
export const unlinkForgotten = async (db: Db, hits: readonly Hit[]): Promise<void> => {
  const linked = hits
    .filter(({ sessionHash, emailHash }) => sessionHash !== null || emailHash !== null)
    .map(({ id, issuedAt }) => ({ id, issuedAt }));
  if (linked.length === 0) return;
  await db.execute(sql`
    update events e set session_hash = null, email_hash = null
    from jsonb_to_recordset(${JSON.stringify(linked)}::jsonb) as h (id text, "issuedAt" bigint)
    where e.issued_on = ${dayOf(sql`h."issuedAt"`)} and e.id = h.id
      and coalesce(e.session_hash, e.email_hash) is not null
      and not ${mayStore(sql`e.placement_id`, sql`e.session_hash`, sql`e.email_hash`)}`);
};
