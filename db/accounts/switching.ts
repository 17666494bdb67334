import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { NotFoundError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import type { DocumentKey } from "../documents/keys.ts";
import { outdateSql, type Changed } from "../documents/outdate.ts";
import { auditSource, type Actor } from "./actor.ts";

/** Sets one switch. */
export type Switch<Status extends string> = { status: Status } | { adsEnabled: boolean };

/** Describes who asks for a change, from which address and why. */
export type Request = { actor: Actor; callerIpAddress: string | null; reason: string | undefined };

/** Holds the answer to a switch, as every switch has it. */
export type Switched<Status extends string> = { id: string; name: string; status: Status; adsEnabled: boolean };

/** Says what is switched, in SQL: `t` is its row before, `changed` the row after. */
type Target = {
  kind: "publisher" | "site";
  table: SQL;
  found: SQL;
  /** Names the audit table, its columns that say what was switched, and their values. */
  log: { table: SQL; columns: SQL; values: SQL };
  /** Names what was switched, in the audit record's payload. */
  ids: Record<string, string>;
  /** Selects the keys of the documents that the switch outdates. */
  documents: SQL;
};

type SwitchedRow<Status extends string> = Switched<Status> & { documents: DocumentKey[] };

const assignment = (change: Switch<string>): SQL =>
  "status" in change ? sql`status = ${change.status}` : sql`ads_enabled = ${change.adsEnabled}`;

const stateOf = (row: "target" | "changed"): SQL =>
  sql.raw(`jsonb_build_object('status', ${row}.status, 'adsEnabled', ${row}.ads_enabled)`);

/** Dates a change later than the one before it, so that records sort in the order of the changes. */
const MOMENT = sql`greatest(clock_timestamp(), target.updated_at + interval '1 millisecond')`;

/** Makes the statement that switches a row, records who did it, notes the documents to publish and selects the answer. */
export const switchRow = <Status extends string>(
  db: Db,
  { kind, table, found, log, ids, documents }: Target,
  change: Switch<Status>,
  { actor, callerIpAddress, reason }: Request,
) => {
  const eventType = `${kind}_${"status" in change ? "status_change" : "ads_toggle"}`;
  const payload = JSON.stringify({ ...ids, callerIpAddress });
  return db.execute<SwitchedRow<Status>>(sql`
    with target as (
      select t.* from ${table} t where ${found} for update
    ), changed as (
      update ${table} c set ${assignment(change)}, updated_at = ${MOMENT}
      from target where c.id = target.id
      returning c.*
    ), audited as (
      insert into ${log.table} (id, ${log.columns}, source, event_type, payload, reason, before, after, created_at)
      select ${newId("event")}, ${log.values}, ${auditSource(actor)}, ${eventType}, ${payload}::jsonb, ${reason ?? null},
        ${stateOf("target")}, ${stateOf("changed")}, changed.updated_at
      from changed, target
    ), outdated as (
      ${outdateSql(documents)}
    )
    select changed.id, changed.name, changed.status, changed.ads_enabled as "adsEnabled",
      (select coalesce(jsonb_agg(document_key), '[]') from outdated) as documents
    from changed`);
};

/**
 * Reads what {@link switchRow} answered.
 *
 * @throws {NotFoundError} when there was nothing to switch
 */
export const switchedBy = <Status extends string>(
  resource: "Publisher" | "Site",
  id: string,
  { rows: [row] }: { rows: SwitchedRow<Status>[] },
): Changed<Switched<Status>> => {
  if (!row) throw new NotFoundError(resource, id);
  const { documents, ...value } = row;
  return { value, outdated: documents };
};
