import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { newId } from "../core/ids.ts";
import { jsonTime } from "../core/paging.ts";
import type { EventKind } from "../schema/values.ts";
import { CLICK_DAYS } from "./click-days.ts";
import type { Retention } from "./purge.ts";

/** Counts the days on which a hit's decision may have been made, today included. */
const DECISION_DAYS = CLICK_DAYS + 1;

/** Says how far back hits are looked at, in milliseconds. */
const COUNTED_MS = 5 * 60_000;

/** Tells the state of storing, of the cron and of removing by age. Times are ISO 8601. */
export type Operating = {
  /** Counts the stored hits of the last five minutes, and tells when the latest of all hits came. */
  hits: { lastFiveMinutes: number; lastAt: string | null };
  /** Lists the cron's duties that ever ran, by name. `endedAt` is null while one runs. */
  duties: { name: string; isRunning: boolean; endedAt: string | null }[];
  /** Holds the time of each kind's oldest row; null where there is none. */
  oldest: Record<keyof Retention, string | null>;
};

// Ids begin with their time, and the key of hits with the day of their decision: so each day takes one look into the
// index.
const hitsQuery = (now: number): SQL => sql`
  select coalesce(sum(recent.hits), 0)::double precision as hits, ${jsonTime(sql`max(latest.at)`)} as "lastAt"
  from generate_series(0, ${DECISION_DAYS - 1}::int) as day (n)
  cross join lateral (select (now() at time zone 'UTC')::date - day.n as issued_on) as made
  left join lateral (
    select count(*) as hits from events e where e.issued_on = made.issued_on and e.id > ${newId("event", now - COUNTED_MS)}
  ) recent on true
  left join lateral (
    select e.occurred_at as at from events e where e.issued_on = made.issued_on order by e.id desc limit 1
  ) latest on true`;

/**
 * Returns the time of the oldest event of some kinds. An index has each kind by its day, and ids of a day come in the
 * order of their time. Each kind is written out in the statement: only then does the planner know how rare it is.
 */
const oldestEvent = (...kinds: EventKind[]): SQL =>
  sql`least(${sql.join(
    kinds.map(
      (kind) => sql`(
      select e.occurred_at from events e
      where e.kind = ${kind} and e.issued_on = (select min(o.issued_on) from events o where o.kind = ${kind})
      order by e.id limit 1)`,
    ),
    sql`, `,
  )})`;

const oldestRow = (table: string, column: string): SQL =>
  sql`(select min(${sql.identifier(column)}) from ${sql.identifier(table)})`;

const OLDEST: Record<keyof Retention, () => SQL> = {
  impressions: () => oldestEvent("impression", "viewable", "close"),
  clicks: () => oldestEvent("click"),
  conversions: () => oldestEvent("conversion"),
  rejects: () => oldestRow("tracking_rejects", "created_at"),
  flushes: () => oldestRow("request_flushes", "received_at"),
  audit: () => oldestRow("audit_log", "created_at"),
};

/** Reads the state of storing, of the cron and of removing by age, in one round trip. */
export const readOperating = async (db: Db, now = Date.now()): Promise<Operating> => {
  const columns = Object.entries(OLDEST).map(([kind, oldest]) => sql`${jsonTime(oldest())} as ${sql.identifier(kind)}`);
  const [hits, duties, oldest] = await db.batch([
    db.execute<{ hits: number; lastAt: string | null }>(hitsQuery(now)),
    db.execute<Operating["duties"][number]>(sql`
      select name, held_until > now() as "isRunning",
        case when held_until <= now() then ${jsonTime(sql`held_until`)} end as "endedAt"
      from leases order by name`),
    db.execute<Operating["oldest"]>(sql`select ${sql.join(columns, sql`, `)}`),
  ]);
  const [counted] = hits.rows;
  const [kept] = oldest.rows;
  if (!kept) throw new Error("the database told nothing of its oldest rows");
  return {
    hits: { lastFiveMinutes: counted?.hits ?? 0, lastAt: counted?.lastAt ?? null },
    duties: duties.rows,
    oldest: kept,
  };
};
