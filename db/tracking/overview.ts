import { sql, type SQL } from "drizzle-orm";
import { idOfActor, type Actor } from "../accounts/actor.ts";
import { ownedBy } from "../accounts/reach.ts";
import type { Db } from "../core/client.ts";
import { daysLong } from "../core/days.ts";
import { jsonTime } from "../core/paging.ts";
import { readableBy, total } from "./reports.ts";

/** Limits how many of each kind are listed. */
const MOST = 5;

/**
 * Says how many requests or impressions a week a placement or an offer needs before it may be called one of the worst.
 */
const ENOUGH = 100;

/** Says which used part of a cap counts as near it. */
const NEAR = 0.8;

/** Holds what was counted in some time. Money is in micro-USD. */
export type Counted = {
  requests: number;
  fills: number;
  impressions: number;
  viewable: number;
  clicks: number;
  conversions: number;
  revenueMicros: number;
  grossMicros: number;
};

/**
 * Describes a placement or an offer by its last seven days. `best` and `worst` are ranks from 1; null where it is not
 * among them.
 */
export type Ranked = {
  kind: "placement" | "offer";
  id: string;
  name: string | null;
  requests: number;
  impressions: number;
  clicks: number;
  revenueMicros: number;
  best: number | null;
  worst: number | null;
};

/**
 * Describes an offer that needs attention, and how many there are of its kind. `share` is the used part of its nearest cap, or
 * the part of the expected clicks that came.
 */
export type Noticed = {
  kind: "nearCap" | "ended" | "neverShown" | "clickedLess";
  id: string;
  name: string;
  share: number | null;
  endsAt: string | null;
  total: number;
};

/** Holds all that the overview says. `lastWeek` covers the day a week ago, up to the same time of day. */
export type Overview = {
  today: Counted;
  lastWeek: Counted;
  empty: { reason: string; requests: number }[];
  ranked: Ranked[];
  noticed: Noticed[];
};

const TODAY = sql`(now() at time zone 'UTC')::date`;

const SUMS = sql.join(
  [
    ["requests", "requests"],
    ["fills", "fills"],
    ["impressions", "impressions"],
    ["viewables", "viewable"],
    ["clicks", "clicks"],
    ["conversions", "conversions"],
    ["revenue_micros", "revenueMicros"],
    ["gross_micros", "grossMicros"],
  ].map(([column = "", name]) => sql`${total(column)} as ${sql.raw(`"${name}"`)}`),
  sql`, `,
);

const countedOn = (db: Db, actor: Actor, day: SQL) =>
  db.execute<Counted>(sql`select ${SUMS} from daily_counters c where ${readableBy(actor)} and c.day = ${day}`);

/** Selects hourly requests at the placements that an actor may read. */
const hoursOf = (actor: Actor, columns: SQL, range: SQL, rest: SQL): SQL => sql`
  select ${columns} from hourly_requests h
  where ${range} and h.placement_id in (
    select p.id from placements p join sites s on s.id = p.site_id join publishers b on b.id = s.publisher_id
    where ${ownedBy(actor, sql`b.id`, sql`b.platform_id`)}) ${rest}`;

/**
 * Tells which part of the requests of the day a week ago had come by this time of day; the current hour counts in part,
 * by its minutes. Where no requests of that day are left, it is the part of the day that has passed.
 */
const shareSoFar = (db: Db, actor: Actor) => {
  const start = sql`(${TODAY} - 7)::timestamp at time zone 'UTC'`;
  const then = sql`now() - ${daysLong(7)}`;
  return db.execute<{ share: number }>(
    hoursOf(
      actor,
      sql`coalesce(sum(h.requests * least(1, greatest(0, extract(epoch from ${then} - h.hour) / 3600)))
        / nullif(sum(h.requests), 0), extract(epoch from ${then} - ${start}) / 86400)::double precision as share`,
      sql`h.hour >= ${start} and h.hour < ${start} + ${daysLong(1)}`,
      sql``,
    ),
  );
};

const emptyAnswers = (db: Db, actor: Actor) =>
  db.execute<{ reason: string; requests: number }>(
    hoursOf(
      actor,
      sql`h.reason, sum(h.requests)::double precision as requests`,
      sql`h.hour > now() - ${daysLong(7)} and h.reason <> ''`,
      sql`group by h.reason order by 2 desc, 1`,
    ),
  );

/**
 * Ranks the last seven days: the best by a measure, and the worst by the measure per request or impression, among those
 * with enough of these.
 */
const ranked = (db: Db, actor: Actor, kind: Ranked["kind"], measure: string) => {
  const of = kind === "placement" ? "requests" : "impressions";
  return db.execute<Ranked>(sql`
    with sums as (
      select c.${sql.raw(kind)}_id as id, sum(c.requests) as requests, sum(c.impressions) as impressions,
        sum(c.clicks) as clicks, sum(c.revenue_micros) as revenue_micros
      from daily_counters c
      where ${readableBy(actor)} and c.day > ${TODAY} - 7 ${kind === "offer" ? sql`and c.offer_id <> ''` : sql``}
      group by 1
    ), ranks as (
      select *, row_number() over (order by ${sql.raw(measure)} desc, id) as best,
        row_number() over (partition by ${sql.raw(of)} >= ${ENOUGH}
          order by ${sql.raw(measure)} / nullif(${sql.raw(of)}, 0)::numeric, id) as worst
      from sums
    )
    select ${kind} as kind, r.id, n.name, r.requests::double precision, r.impressions::double precision,
      r.clicks::double precision, r.revenue_micros::double precision as "revenueMicros",
      case when r.best <= ${MOST} and ${sql.raw(measure)} > 0 then r.best::int end as best,
      case when r.worst <= ${MOST} and r.${sql.raw(of)} >= ${ENOUGH} then r.worst::int end as worst
    from ranks r left join ${sql.raw(kind)}s n on n.id = r.id
    where r.best <= ${MOST} or (r.worst <= ${MOST} and r.${sql.raw(of)} >= ${ENOUGH})
    order by r.best`);
};

/**
 * Finds a manager's active offers that are near a cap, past their end, were never shown though they are a day old, or
 * are clicked less since a few days.
 */
const noticed = (db: Db, actor: Actor) => {
  const own =
    actor.kind === "admin" ? sql`true` : sql`a.platform_id = ${actor.kind === "platform" ? idOfActor(actor) : null}`;
  const shared = sql`coalesce(u.today::double precision / o.daily_cap, 0), coalesce(u.ever::double precision / o.lifetime_cap, 0)`;
  return db.execute<Noticed>(sql`
    with own as (
      select o.id, o.name, o.ends_at, o.created_at, o.creative, greatest(${shared}) as share
      from offers o join advertisers a on a.id = o.advertiser_id
      left join lateral (
        select sum(x.used) filter (where x.day = ${TODAY}) as today, sum(x.used) as ever
        from offer_usage x where x.offer_id = o.id and (o.daily_cap is not null or o.lifetime_cap is not null)
      ) u on true
      where ${own} and o.status = 'active' and a.status = 'active'
    ), found as (
      select 'nearCap' as kind, id, name, share, ends_at, share as weight from own
      where share >= ${NEAR} and (ends_at is null or ends_at > now())
      union all
      select 'ended', id, name, null, ends_at, extract(epoch from ends_at) from own where ends_at <= now()
      union all
      select 'neverShown', id, name, null, ends_at, extract(epoch from created_at) from own
      where created_at < now() - ${daysLong(1)} and (ends_at is null or ends_at > now())
        and not exists (select from daily_counters c where c.offer_id = own.id and c.impressions > 0)
      union all
      select 'clickedLess', own.id, own.name, r.shift_ratio, ends_at, -r.shift_ratio
      from own join rate_offers r on r.offer_id = own.id and r.shifted_creative = own.creative
      where r.shifted_on > ${TODAY} - 7 and r.shift_ratio < 1 and (ends_at is null or ends_at > now())
    ), numbered as (
      select *, row_number() over (partition by kind order by weight desc, id) as at, count(*) over (partition by kind) as total
      from found
    )
    select kind, id, name, share, ${jsonTime(sql`ends_at`)} as "endsAt", total::int as total
    from numbered where at <= ${MOST} order by kind, at`);
};

/** Reads what an actor's overview says, in one batch. A publisher has no offers of its own that need attention. */
export const readOverview = async (db: Db, actor: Actor): Promise<Overview> => {
  const measure = actor.kind === "publisher" && !actor.revenueAccess ? "clicks" : "revenue_micros";
  const [today, before, soFar, empty, places, offers, found] = await db.batch([
    countedOn(db, actor, TODAY),
    countedOn(db, actor, sql`${TODAY} - 7`),
    shareSoFar(db, actor),
    emptyAnswers(db, actor),
    ranked(db, actor, "placement", measure),
    ranked(db, actor, "offer", measure),
    noticed(db, actor),
  ]);
  const [now, day] = [today.rows[0], before.rows[0]];
  if (!now || !day) throw new Error("a sum left nothing");
  const share = soFar.rows[0]?.share ?? 0;
  const lastWeek = Object.fromEntries(Object.entries(day).map(([name, value]) => [name, Math.round(value * share)]));
  return {
    today: now,
    lastWeek: lastWeek as Counted,
    empty: empty.rows,
    ranked: [...places.rows, ...offers.rows],
    noticed: found.rows,
  };
};
