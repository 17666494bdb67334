import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { daysLong } from "../core/days.ts";
import type { EventKind } from "../schema/values.ts";
import { CLICK_DAYS } from "./click-days.ts";

/** Limits how many rows a statement removes. */
const ROWS = 5_000;

/** Sets for how many days an erasure is remembered: as long as a click may come, and then its conversion. */
const ERASURE_DAYS = 2 * CLICK_DAYS;

/** Sets for how many days rates are kept to which nothing is added: little is left of them then. */
const FADED_DAYS = 400;

/** Sets for how many days clicks are kept by day: longer than any conversion is waited for. */
const AGING_DAYS = 60;

/** Sets for how many days counts by part of the sessions are kept: reports reach back 180 days. */
const COMPARED_DAYS = 200;

/** Names the ids of flushes in the table `purges`; events stand there by their kind. */
export const FLUSHES = "flush";

/** Says for how many days rows are kept. `impressions` also covers views and closes. */
export type Retention = Record<"impressions" | "clicks" | "conversions" | "rejects" | "flushes" | "audit", number>;

/**
 * Says for how many days rows of a table are kept, counted from one of their columns. `noted` is the name under which
 * it is recorded up to when they were removed. Where ids rise as rows come (`isQueue`), only the first are looked at.
 */
export type Kept = { table: string; from: string; days: number; noted?: string; kind?: EventKind; isQueue?: true };

const ofKind = (kind: EventKind, days: number): Kept => ({
  table: "events",
  from: "occurred_at",
  days,
  noted: kind,
  kind,
});

/**
 * Lists what is removed by its age. Ids of repeats are kept for longer than a queue may hold a message, since they keep
 * a redelivered one from being counted again. An outbox entry is removed when it is published; an entry this old
 * belongs to a document that has renewed itself since.
 */
export const keptRows = ({ impressions, clicks, conversions, rejects, flushes, audit }: Retention): Kept[] => [
  ofKind("impression", impressions),
  ofKind("viewable", impressions),
  ofKind("close", impressions),
  ofKind("click", clicks),
  ofKind("conversion", conversions),
  { table: "pending_conversions", from: "reported_at", days: conversions },
  { table: "conversion_reversals", from: "reversed_at", days: conversions },
  { table: "tracking_rejects", from: "created_at", days: rejects },
  { table: "erasures", from: "erased_at", days: ERASURE_DAYS },
  { table: "recent_billings", from: "last_at", days: 2 },
  { table: "recent_lessons", from: "taught_at", days: 2 },
  { table: "counted_repeats", from: "received_at", days: 30 },
  { table: "request_flushes", from: "received_at", days: flushes, noted: FLUSHES },
  { table: "hourly_requests", from: "hour", days: 400 },
  { table: "request_facts", from: "hour", days: 400 },
  { table: "daily_parts", from: "day", days: COMPARED_DAYS },
  { table: "rate_cells", from: "folded_on", days: FADED_DAYS },
  { table: "rate_places", from: "folded_on", days: FADED_DAYS },
  { table: "rate_offers", from: "folded_on", days: FADED_DAYS },
  { table: "rate_clicks", from: "day", days: AGING_DAYS },
  { table: "rate_creatives", from: "folded_on", days: FADED_DAYS },
  { table: "idempotency_keys", from: "created_at", days: 1 },
  { table: "publish_outbox", from: "created_at", days: audit, isQueue: true },
  { table: "webhook_events", from: "created_at", days: audit },
  { table: "webhook_logs", from: "created_at", days: audit },
  { table: "audit_log", from: "created_at", days: audit },
];

/** Narrows to events of a kind by the index of their days, which are never later than the events; or to first rows. */
const narrowing = ({ table, days, kind, isQueue }: Kept): SQL => {
  if (kind) return sql`kind = ${kind} and issued_on <= (now() at time zone 'UTC' - ${daysLong(days)})::date and`;
  return isQueue ? sql`id < (select min(id) from ${sql.identifier(table)}) + ${ROWS}::int and` : sql``;
};

// Counting locks rows in the order of their keys, removal in that of their age. So removal waits for nobody: a row that
// somebody else has locked stays until the next time, and may be renewed by then.
const removal = (db: Db, kept: Kept) => {
  const table = sql.identifier(kept.table);
  const moment = sql.identifier(kept.from);
  const isOld = sql`${moment} < now() - ${daysLong(kept.days)}`;
  const order = kept.kind === undefined ? moment : sql.identifier("issued_on");
  return db.execute<{ removed: number }>(sql`
    with old as materialized (
      select ctid as at from ${table}
      where ${narrowing(kept)} ${isOld}
      order by ${order} limit ${ROWS}::int for update skip locked
    ), gone as (
      delete from ${table} where ctid = any (array(select at from old)) and ${isOld}
      returning ${moment} as moment
    ), noted as (
      insert into purges as p (what, through)
      select ${kept.noted ?? null}::text, max(moment) from gone where ${kept.noted !== undefined}::boolean
      having count(*) > 0
      on conflict (what) do update set through = greatest(p.through, excluded.through)
    )
    select count(*)::int as removed from gone`);
};

/**
 * Removes some rows that are older than rows are kept, some of each table, in one transaction.
 *
 * @returns the kinds of which there may be more
 */
export const purgeSome = async (db: Db, kept: readonly Kept[]): Promise<Kept[]> => {
  const [first, ...others] = kept.map((rows) => removal(db, rows));
  if (!first) return [];
  const results = await db.batch([first, ...others]);
  return kept.filter((_, i) => Number(results[i]?.rows[0]?.removed) === ROWS);
};
