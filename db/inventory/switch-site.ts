import { sql } from "drizzle-orm";
import { auditSource } from "../accounts/actor.ts";
import { holdPublisher } from "../accounts/publishers.ts";
import {
  assignment,
  MOMENT,
  state,
  switched,
  type Request,
  type Switch,
  type Switched,
  type SwitchedRow,
} from "../accounts/switching.ts";
import type { Db } from "../core/client.ts";
import { NotFoundError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import type { SiteStatus } from "../schema/values.ts";

/**
 * Switches a site of a publisher, records who did it and notes the documents to publish, in one transaction.
 *
 * @throws {NotFoundError} when the publisher has no such site
 */
export const switchSite = async (
  db: Db,
  id: string,
  publisherId: string,
  change: Switch<Exclude<SiteStatus, "pending">>,
  { actor, callerIpAddress, reason }: Request,
): Promise<Switched<SiteStatus>> => {
  const eventType = "status" in change ? "site_status_change" : "site_ads_toggle";
  const payload = JSON.stringify({ siteId: id, publisherId, callerIpAddress });
  const [, result] = await db.batch([
    holdPublisher(db, publisherId),
    db.execute<SwitchedRow<SiteStatus>>(sql`
    with target as (
      select t.* from sites t where t.id = ${id} and t.publisher_id = ${publisherId} for update
    ), changed as (
      update sites s set ${assignment(change)}, updated_at = ${MOMENT}
      from target where s.id = target.id
      returning s.*
    ), audited as (
      insert into webhook_logs (id, publisher_id, site_id, source, event_type, payload, reason, before, after, created_at)
      select ${newId("event")}, changed.publisher_id, changed.id, ${auditSource(actor)}, ${eventType}, ${payload}::jsonb,
        ${reason ?? null}, ${state("target")}, ${state("changed")}, changed.updated_at
      from changed, target
    ), outdated as (
      insert into publish_outbox (document_key)
      select 'placement:' || p.id from placements p join changed on changed.id = p.site_id
      returning document_key
    )
    select true as reachable, changed.id, changed.name, changed.status, changed.ads_enabled,
      (select coalesce(jsonb_agg(document_key), '[]') from outdated) as documents
    from changed`),
  ]);
  const row = result.rows[0];
  if (!row || row.id === null) throw new NotFoundError("Site", id);
  return switched({ ...row, id: row.id });
};
