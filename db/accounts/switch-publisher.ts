import { sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { ForeignError, NotFoundError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import type { PublisherStatus } from "../schema/values.ts";
import { auditSource } from "./actor.ts";
import {
  assignment,
  MOMENT,
  state,
  switched,
  type Request,
  type Switch,
  type Switched,
  type SwitchedRow,
} from "./switching.ts";

/**
 * Switches a publisher, records who did it and notes the documents to publish, in one statement.
 *
 * @throws {NotFoundError} when there is no such publisher
 * @throws {ForeignError} when it is out of the actor's reach
 */
export const switchPublisher = async (
  db: Db,
  id: string,
  change: Switch<PublisherStatus>,
  { actor, callerIpAddress, reason }: Request,
): Promise<Switched<PublisherStatus>> => {
  const reach =
    actor.kind === "publisher"
      ? sql`t.id = ${actor.publisherId}`
      : actor.kind === "platform"
        ? sql`t.platform_id = ${actor.platformId}`
        : sql`true`;
  const eventType = "status" in change ? "publisher_status_change" : "publisher_ads_toggle";
  const payload = JSON.stringify({ publisherId: id, callerIpAddress });
  const result = await db.execute<SwitchedRow<PublisherStatus>>(sql`
    with target as (
      select t.*, ${reach} as reachable from publishers t where t.id = ${id} for update
    ), changed as (
      update publishers p set ${assignment(change)}, updated_at = ${MOMENT}
      from target where p.id = target.id and target.reachable
      returning p.*
    ), audited as (
      insert into webhook_events (id, publisher_id, source, event_type, payload, reason, before, after, created_at)
      select ${newId("event")}, changed.id, ${auditSource(actor)}, ${eventType}, ${payload}::jsonb, ${reason ?? null},
        ${state("target")}, ${state("changed")}, changed.updated_at
      from changed, target
    ), outdated as (
      insert into publish_outbox (document_key)
      select 'key:' || k.key from public_keys k join changed on changed.id = k.publisher_id
      returning document_key
    )
    select target.reachable, changed.id, changed.name, changed.status, changed.ads_enabled,
      (select coalesce(jsonb_agg(document_key), '[]') from outdated) as documents
    from target left join changed on true`);
  const row = result.rows[0];
  if (!row) throw new NotFoundError("Publisher", id);
  if (row.id === null) throw new ForeignError("publisher is out of reach");
  return switched({ ...row, id: row.id });
};
