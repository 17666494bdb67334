import { sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { idTime } from "../core/ids.ts";
import type { requestFacts } from "../schema/counters.ts";
import { ownerOf } from "./owners.ts";
import { FLUSHES } from "./purge.ts";

/**
 * Counts the ad requests of a placement, country and arm in a UTC hour, and how many of them got offers. `reasons`
 * counts those that got none by the reason why, `parts` all of them by the part of their session. `hour` is in
 * milliseconds; flushes of the previous version have no parts.
 */
export type RequestCount = {
  hour: number;
  placementId: string;
  country: string;
  arm: string;
  requests: number;
  fills: number;
  parts?: Record<string, number> | undefined;
  reasons: Record<string, number>;
};

/** Holds the facts of a sampled ad request, none of them personal. `hour` is in milliseconds. */
export type RequestFact = Omit<typeof requestFacts.$inferSelect, "id" | "hour"> & { hour: number };

/** Holds an isolate's ad requests of some seconds. Its random id keeps a redelivered flush from counting twice. */
export type RequestFlush = { id: string; rows: RequestCount[]; facts: RequestFact[] };

const ROW = sql.raw(
  `(hour bigint, "placementId" text, country text, arm text, requests bigint, fills bigint, parts jsonb, reasons jsonb)`,
);
const FACT =
  sql.raw(`(hour bigint, "placementId" text, country text, language text, currency text, amount double precision,
    "paymentType" text, count smallint)`);

/**
 * Adds ad requests to the daily and the hourly counters, each flush once however often it is delivered. A flush as old
 * as those whose ids were already removed is left out, since nothing tells whether it was counted.
 *
 * Parts are written last, since they alone are also written by counting hits. Postgres runs CTEs that nothing reads in
 * reverse order, so parts stand before the others (recording/count-hits.ts).
 *
 * @returns how many flushes were left out
 */
export const recordRequests = async (db: Db, flushes: readonly RequestFlush[]): Promise<number> => {
  const dated = flushes.map((flush) => ({ ...flush, madeAt: idTime(flush.id) }));
  const { rows } = await db.execute<{ taken: string }>(sql`
  with incoming as (
    select f.id, f.rows, f.facts
    from jsonb_to_recordset(${JSON.stringify(dated)}::jsonb) as f (id text, rows jsonb, facts jsonb, "madeAt" bigint)
    where not exists (
      select from purges p where p.what = ${FLUSHES} and p.through >= to_timestamp(f."madeAt" / 1000.0))
  ), fresh as (
    insert into request_flushes (id) select distinct id from incoming order by id on conflict do nothing returning id
  ), merged as (
    select distinct on (i.id) i.id, i.rows, i.facts from incoming i join fresh on fresh.id = i.id
  ), requested as (
    select to_timestamp(r.hour / 1000.0) as hour, r."placementId" as placement_id, r.country, r.arm, r.requests, r.fills,
      r.parts, r.reasons
    from merged m, jsonb_to_recordset(m.rows) as r ${ROW}
  ), owned as materialized (
    select named.placement_id, owner.site_id, owner.publisher_id
    from (select distinct placement_id from requested) named ${ownerOf(sql`named.placement_id`)}
  ), parted as (
    insert into daily_parts as p (publisher_id, day, arm, part, requests)
    select o.publisher_id, (r.hour at time zone 'UTC')::date, r.arm, told.key::smallint, sum(told.value::bigint)
    from requested r join owned o on o.placement_id = r.placement_id
      cross join lateral jsonb_each_text(coalesce(r.parts, '{}')) told
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (publisher_id, day, arm, part) do update set requests = p.requests + excluded.requests
  ), daily as (
    insert into daily_counters as c (day, placement_id, offer_id, advertiser_id, country, arm, place, site_id,
      publisher_id, requests, fills)
    select (r.hour at time zone 'UTC')::date, r.placement_id, '', '', r.country, r.arm, 0, min(o.site_id),
      min(o.publisher_id), sum(r.requests), sum(r.fills)
    from requested r join owned o on o.placement_id = r.placement_id
    group by 1, 2, r.country, r.arm order by 1, 2, r.country, r.arm
    on conflict (day, placement_id, offer_id, advertiser_id, country, arm, place) do update set
      requests = c.requests + excluded.requests, fills = c.fills + excluded.fills
  ), sampled as (
    insert into request_facts (hour, placement_id, country, language, currency, amount, payment_type, count)
    select to_timestamp(f.hour / 1000.0), f."placementId", f.country, f.language, f.currency, f.amount, f."paymentType",
      f.count
    from merged m, jsonb_to_recordset(m.facts) as f ${FACT}
  ), hourly as (
    insert into hourly_requests as h (hour, placement_id, country, reason, arm, requests)
    select hour, placement_id, country, reason, arm, sum(n)
    from requested cross join lateral (
      select '' as reason, fills as n
      union all select key, value::bigint from jsonb_each_text(reasons)
    ) told
    group by hour, placement_id, country, reason, arm having sum(n) > 0
    order by hour, placement_id, country, reason, arm
    on conflict (hour, placement_id, country, reason, arm) do update set requests = h.requests + excluded.requests
  )
  select count(*) as taken from incoming`);
  return flushes.length - Number(rows[0]?.taken);
};
