import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { daysLong } from "../core/days.ts";

/** Says how far back traffic is looked at. */
const WEEKS = daysLong(28);

/** Says how many hours are added up at once, and how late the counts of an hour may come. */
const HOURS = sql.raw("interval '6 hours'");
const LATE = sql.raw("interval '10 minutes'");

/**
 * Selects the end of the last hour that has been over for that long. Counts are by UTC hours; some time zones are half
 * an hour off.
 */
const ENDS = sql`date_trunc('hour', now() - ${LATE}, 'UTC')`;

/** Tells that in a row `h` of `hourly_requests` no switch kept offers from being served. */
const MAY_SERVE = sql.raw("h.reason in ('', 'no_eligible_offer')");

/**
 * Limits how many placements the traffic of named sites is taken from, for a curve, where more would tell the same, and
 * for all curves of a statement, since reading that of busy ones takes long.
 */
const PLACEMENTS = sql.raw("50");

/** Says after how long a curve is rebuilt. */
const RENEWED = sql.raw("interval '1 hour'");

/**
 * Names where an offer `o` of an advertiser `a` may serve, as far as curves distinguish it: countries, platform, named
 * sites and publishers. Offers of the same targeting share a curve.
 */
export const curveKeySql = sql`md5(concat_ws('/', o.countries::text, o.include_sites::text, o.include_publishers::text,
  case when a.reach = 'PLATFORM' then a.platform_id end))`;

/** Selects the hour of the week of a whole hour, from Thursday 0:00 UTC, as 1970 began. */
const weekHour = (hour: SQL): SQL => sql`(extract(epoch from ${hour})::bigint / 3600 % 168)`;

const isIn = (list: SQL, value: SQL): SQL => sql`(${list} = '{}' or ${value} = any (${list}))`;

/**
 * Adds up the traffic of some hours by platform and country, oldest first: the hours that are over and were not added
 * up yet, and again the last one that was, since its counts may have come late.
 *
 * @returns whether there are more
 */
export const addUpTraffic = async (db: Db): Promise<boolean> => {
  const { rows } = await db.execute<{ more: boolean }>(sql`
    with bounds as materialized (
      select (select max(hour) from hourly_traffic) as last, ${ENDS} as ends
    ), span as materialized (
      select coalesce(last, first) as begins, least(first + ${HOURS}, ends) as until, ends
      from bounds cross join lateral (
        select min(h.hour) as first from hourly_requests h
        where h.hour > coalesce(last, now() - ${WEEKS}) and h.hour < ends and ${MAY_SERVE}) next
    ), added as (
      insert into hourly_traffic as t (hour, platform_id, country, requests)
      select h.hour, coalesce(b.platform_id, ''), h.country, sum(h.requests)
      from span cross join hourly_requests h left join placements p on p.id = h.placement_id
        left join sites s on s.id = p.site_id left join publishers b on b.id = s.publisher_id
      where h.hour >= span.begins and h.hour < span.until and ${MAY_SERVE}
      group by 1, 2, 3 order by 1, 2, 3
      on conflict (hour, platform_id, country) do update set requests = excluded.requests
      where t.requests <> excluded.requests
    ), removed as (
      delete from hourly_traffic where hour < now() - ${WEEKS} - interval '1 hour'
    )
    select until < ends as more from span where until is not null`);
  return rows[0]?.more === true;
};

/**
 * Makes some curves of traffic that are missing or an hour old, and removes curves that no offer has needed for a day.
 * Those without named sites come first; the others are picked by chance, and one of many placements is made alone. So
 * one whose traffic takes too long to read holds up no others for good.
 *
 * @param limit how many are made at most
 * @returns how many were made, and whether there are more to make
 */
export const makeCurves = async (db: Db, limit: number): Promise<{ made: number; more: boolean }> => {
  const { rows } = await db.execute<{ made: number; more: boolean }>(sql`
    with span as materialized (
      select ends - ${WEEKS} as begins, ends from (select ${ENDS} as ends) hours
    ), due as materialized (
      select w.*, row_number() over (order by w.is_named, random()) as nr from (
        select distinct on (key) ${curveKeySql} as key, o.countries, o.include_sites as sites, o.include_publishers as publishers,
          case when a.reach = 'PLATFORM' then a.platform_id end as platform,
          o.include_sites <> '{}' or o.include_publishers <> '{}' as is_named
        from offer_paces p join offers o on o.serial = p.serial join advertisers a on a.id = o.advertiser_id
        where p.is_on order by key) w
        left join traffic_curves c on c.key = w.key
      where c.key is null or c.made_at < now() - ${RENEWED}
    ), named as materialized (
      select w.key, w.nr, found.id from due w cross join lateral (
        select p.id from sites s join publishers b on b.id = s.publisher_id join placements p on p.site_id = s.id
        where (s.id = any (w.sites) or (w.sites = '{}' and s.publisher_id = any (w.publishers)))
          and ${isIn(sql`w.publishers`, sql`s.publisher_id`)} and coalesce(b.platform_id = w.platform, true)
        limit ${PLACEMENTS}) found
      where w.nr <= ${limit}::int and w.is_named
    ), wanted as materialized (
      select d.* from due d left join (
        select key, count(*) as own, sum(count(*)) over (order by nr) as sum from named group by key, nr) n on n.key = d.key
      where d.nr <= ${limit}::int and (not d.is_named
        or not exists (select from due where not is_named) and coalesce(n.sum <= ${PLACEMENTS} or n.sum = n.own, true))
    ), weekly as materialized (
      select ${weekHour(sql`t.hour`)} as nth, t.platform_id, t.country, sum(t.requests) as requests, min(t.hour) as since
      from hourly_traffic t cross join span where t.hour >= span.begins and t.hour < span.ends
        and exists (select from wanted where not is_named)
      group by 1, 2, 3
    ), came as (
      select w.key, t.nth, t.requests, t.since from wanted w join weekly t
        on coalesce(t.platform_id = w.platform, true) and ${isIn(sql`w.countries`, sql`t.country`)}
      where not w.is_named
      union all
      select n.key, ${weekHour(sql`at.hour`)}, h.requests, h.hour
      from span cross join generate_series(span.begins, span.ends - interval '1 hour', interval '1 hour') at (hour)
        cross join named n join wanted w on w.key = n.key
        join hourly_requests h on h.hour = at.hour and h.placement_id = n.id
      where ${isIn(sql`w.countries`, sql`h.country`)} and ${MAY_SERVE}
    ), by_hour as (
      select key, nth, sum(requests) as requests, min(since) as since from came group by key, nth
    ), made as (
      insert into traffic_curves (key, requests, since, until)
      select w.key, array_agg(coalesce(h.requests, 0)::float8 order by n.nth), min(h.since), span.ends
      from wanted w cross join span cross join generate_series(0, 167) n (nth)
        left join by_hour h on h.key = w.key and h.nth = n.nth
      group by w.key, span.ends order by w.key
      on conflict (key) do update set requests = excluded.requests, since = excluded.since, until = excluded.until,
        made_at = excluded.made_at
      returning key
    ), removed as (
      delete from traffic_curves where made_at < now() - ${daysLong(1)} and key not in (select key from due)
    )
    select count(*)::int as made, count(*) < (select count(*) from due) as more from made`);
  return rows[0] ?? { made: 0, more: false };
};
