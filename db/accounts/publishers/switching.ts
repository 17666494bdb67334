import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../../core/client.ts";
import { NotFoundError } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { tagOf } from "../../core/writing/tags.ts";
import { documentKeySql, type DocumentKey } from "../../documents/keys.ts";
import { outdateSql, toldSql, type Changed } from "../../documents/outdate.ts";
import type { PublisherStatus, SiteStatus } from "../../schema/values.ts";
import type { Actor, PublisherActor } from "../actor.ts";
import { holdPublisher } from "../hold.ts";
import { isPresent } from "../reach.ts";
import { publicKeysOf } from "./publisher-order.ts";

/** Sets one switch. */
export type Switch<Status extends string> = { status: Status } | { adsEnabled: boolean };

/** Asks for a change of what an id names; says who asks, from which address and why. */
export type ChangeRequest<A extends Actor, Change> = {
  actor: A;
  id: string;
  change: Change;
  callerIpAddress: string | null;
  reason: string | undefined;
};

/** Holds the answer that all switches have, and the tag of what was switched. */
export type Switched<Status extends string> = {
  id: string;
  name: string;
  status: Status;
  adsEnabled: boolean;
  tag: string;
};

/**
 * Describes what is switched, in SQL: `t` is its row before, `changed` the row after, `altered` its id if they differ.
 */
type Target = {
  kind: "publisher" | "site";
  table: SQL;
  found: SQL;
  /**
   * Names the audit table, its columns that say what was switched, their values, and the condition that a record `l` is
   * about `t`.
   */
  log: { table: SQL; columns: SQL; values: SQL; ofTarget: SQL };
  /** Names what was switched, in the audit record's payload. */
  ids: Record<string, string>;
  /** Selects the keys of the documents that the switch outdates. */
  documents: SQL;
};

type SwitchedRow<Status extends string> = Switched<Status> & { documents: DocumentKey[] };

/** Names an actor as audit records do (API.md, "Audit record"). */
const auditSource = (actor: Actor): string => {
  if (actor.kind === "publisher") return `publisher:${actor.publisherId}`;
  return actor.kind === "platform" ? `service:${actor.platformId}` : "admin";
};

/** Names the column that a switch sets, and its value. */
const assignment = (change: Switch<string>): { column: SQL; value: SQL } =>
  "status" in change
    ? { column: sql`status`, value: sql`${change.status}::text` }
    : { column: sql`ads_enabled`, value: sql`${change.adsEnabled}::boolean` };

const stateOf = (row: "target" | "changed"): SQL =>
  sql.raw(`jsonb_build_object('status', ${row}.status, 'adsEnabled', ${row}.ads_enabled)`);

/**
 * Makes the statement that switches a row, records who did it, notes the documents to publish and selects the answer.
 * It goes after a statement that locks the row. A row that is switched to its present state keeps its time, and so its
 * tag, and outdates nothing.
 */
const switchRow = <Status extends string>(
  db: Db,
  { kind, table, found, log, ids, documents }: Target,
  { actor, change, callerIpAddress, reason }: ChangeRequest<Actor, Switch<Status>>,
) => {
  const eventType = `${kind}_${"status" in change ? "status_change" : "ads_toggle"}`;
  const payload = JSON.stringify({ ...ids, callerIpAddress });
  const { column, value } = assignment(change);
  // Later than the previous record, so that records sort in the order of the switches.
  const moment = sql`greatest(clock_timestamp(), (
    select max(l.created_at) + interval '1 millisecond' from ${log.table} l where ${log.ofTarget}))`;
  return db.execute<SwitchedRow<Status>>(sql`
    with target as (
      select t.*, ${moment} as moment from ${table} t where ${found}
    ), changed as (
      update ${table} c set ${column} = ${value},
        updated_at = case when c.${column} = ${value} then c.updated_at else target.moment end
      from target where c.id = target.id
      returning c.*
    ), audited as (
      insert into ${log.table} (id, ${log.columns}, source, event_type, payload, reason, before, after, created_at)
      select ${newId("event")}, ${log.values}, ${auditSource(actor)}, ${eventType}, ${payload}::jsonb, ${reason ?? null},
        ${stateOf("target")}, ${stateOf("changed")}, target.moment
      from changed, target
    ), altered as (
      select changed.id from changed, target where changed.${column} <> target.${column}
    ), outdated as (
      ${outdateSql(documents)}
    )
    select changed.id, changed.name, changed.status, changed.ads_enabled as "adsEnabled",
      ${tagOf(sql`changed`)} as tag,
      ${toldSql} as documents
    from changed`);
};

const switchedBy = <Status extends string>(
  resource: "Publisher" | "Site",
  id: string,
  { rows: [row] }: { rows: SwitchedRow<Status>[] },
): Changed<Switched<Status>> => {
  if (!row) throw new NotFoundError(resource, id);
  const { documents, ...value } = row;
  return { value, outdated: documents };
};

/**
 * Switches a publisher, with its audit record and the documents of its valid public keys, in one transaction.
 *
 * @throws {NotFoundError} when there is no such publisher
 */
export const switchPublisher = async (db: Db, request: ChangeRequest<Actor, Switch<PublisherStatus>>) => {
  const { id } = request;
  const target: Target = {
    kind: "publisher",
    table: sql`publishers`,
    found: sql`t.id = ${id}`,
    log: {
      table: sql`webhook_events`,
      columns: sql`publisher_id`,
      values: sql`changed.id`,
      ofTarget: sql`l.publisher_id = t.id`,
    },
    ids: { publisherId: id },
    documents: sql`${publicKeysOf(id)} and exists (select from altered)`,
  };
  const [, result] = await db.batch([holdPublisher(db, id, "update"), switchRow<PublisherStatus>(db, target, request)]);
  return switchedBy("Publisher", id, result);
};

/**
 * Switches a publisher's own site, with its audit record and the documents of its placements, in one transaction.
 *
 * @throws {NotFoundError} when the publisher has no such site
 */
export const switchSite = async (
  db: Db,
  request: ChangeRequest<PublisherActor, Switch<Exclude<SiteStatus, "pending">>>,
) => {
  const { id } = request;
  const { publisherId } = request.actor;
  const target: Target = {
    kind: "site",
    table: sql`sites`,
    found: sql`t.id = ${id} and t.publisher_id = ${publisherId} and ${isPresent(publisherId)}`,
    log: {
      table: sql`webhook_logs`,
      columns: sql`publisher_id, site_id`,
      values: sql`changed.publisher_id, changed.id`,
      ofTarget: sql`l.site_id = t.id`,
    },
    ids: { siteId: id, publisherId },
    documents: sql`select ${documentKeySql.placement(sql`p.id`)} from placements p join altered on altered.id = p.site_id`,
  };
  const [, , result] = await db.batch([
    holdPublisher(db, publisherId),
    db.execute(sql`select t.id from sites t where ${target.found} for update`),
    switchRow<SiteStatus>(db, target, request),
  ]);
  return switchedBy("Site", id, result);
};
