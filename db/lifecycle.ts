import { sql, type SQL } from "drizzle-orm";
import { auditSource, type Actor } from "./actor.ts";
import type { Db } from "./client.ts";
import type { DocumentKey } from "./documents.ts";
import { ForeignError, NotFoundError } from "./errors.ts";
import { newId } from "./ids.ts";
import { holdPublisher } from "./publishers.ts";
import type { PublisherStatus, SiteStatus } from "./schema/values.ts";

/** What one switch is set to. */
export type Switch<Status extends string> = { status: Status } | { adsEnabled: boolean };

/** Who asks for a change, from which address and why. */
export type Request = { actor: Actor; callerIpAddress: string | null; reason: string | undefined };

/** The contract's answer to a lifecycle change, and the documents that it outdates. */
export type Switched<Status extends string> = {
  subject: { id: string; name: string; status: Status; adsEnabled: boolean };
  documents: DocumentKey[];
};

type Row<Status extends string> = {
  reachable: boolean;
  id: string | null;
  name: string;
  status: Status;
  ads_enabled: boolean;
  documents: DocumentKey[];
};

const assignment = (change: Switch<string>): SQL =>
  "status" in change ? sql`status = ${change.status}` : sql`ads_enabled = ${change.adsEnabled}`;

const state = (row: string): SQL =>
  sql.raw(`jsonb_build_object('status', ${row}.status, 'adsEnabled', ${row}.ads_enabled)`);

/** When a change happens: later than the one before it, so that the records sort in the order of the changes. */
const MOMENT = sql`greatest(clock_timestamp(), target.updated_at + interval '1 millisecond')`;

const switched = <Status extends string>(row: Row<Status> & { id: string }): Switched<Status> => ({
  subject: { id: row.id, name: row.name, status: row.status, adsEnabled: row.ads_enabled },
  documents: row.documents,
});

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
  const result = await db.execute<Row<PublisherStatus>>(sql`
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
    db.execute<Row<SiteStatus>>(sql`
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
