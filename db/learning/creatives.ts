import { sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import type { Pricing } from "../schema/values.ts";
import {
  isAsFound,
  noteLearned,
  placesOfTaken,
  TEACHING_TYPES,
  teachingCounts,
  type CounterKey,
  type TeachingCounts,
} from "./increases.ts";
import { namesOf, replacing, SUM_COLUMNS, typesOf, type Fading, type RateSums } from "./sums.ts";

/** Holds a row of the counters by creative that has more to teach than was learned from it. */
export type UnlearnedCreativeRow = CounterKey & TeachingCounts & { days: number; creative: number };

/** Holds what is known of a creative of an offer; `isShown` tells whether sessions may see it now. */
export type KnownCreative = RateSums & { number: number; version: number; isShown: boolean };

/**
 * Holds what is known of an offer that has several creatives: `rates` are the rates to expect, `maturity` is the part
 * of its clicks' conversions that has come.
 */
export type SplitOffer = {
  offerId: string;
  pricing: Pricing;
  maturity: number;
  rates: [number, number];
  creatives: KnownCreative[];
};

/** Holds rows to learn from, and what is known of their offers and places. */
export type UnlearnedCreatives = {
  rows: UnlearnedCreativeRow[];
  offers: SplitOffer[];
  places: (RateSums & { placementId: string; country: string })[];
  slots: { place: number; clicks: number; exposure: number }[];
  network: Fading & { maturity: number; day: number };
};

/**
 * Selects the rates to expect of an offer `o`: by its sums `r`, else those of its advertiser `a`, else the network's,
 * `n`.
 */
export const expectedRates = sql`jsonb_build_array(
  coalesce(r.advertiser_click_rate, a.click_rate, n.click_rate),
  coalesce(r.advertiser_conversion_rate, a.conversion_rate, n.conversion_rate))`;

/** Selects the creatives of an offer `o`, its own first, as rows of `number`, `version`, `weight`, `status`, `id` and `name`. */
export const creativesOf = sql`(
  select 1 as number, o.creative as version, o.creative_weight as weight, 'active' as status, null as id, o.name
  union all
  select k.number, k.version, k.weight, k.status, k.id, k.name from offer_creatives k where k.offer_id = o.id)`;

/**
 * Finds counters by creative that have more to teach than was learned from them, the newest days first, and what is
 * known of their offers.
 */
export const findUnlearnedCreatives = async (db: Db, limit: number): Promise<UnlearnedCreatives> => {
  const { rows } = await db.execute<{ found: UnlearnedCreatives }>(sql`
    with taken as materialized (
      select c.day, c.day - date '1970-01-01' as days, c.placement_id, c.offer_id, c.advertiser_id, c.country, c.arm,
        c.place, c.creative, ${teachingCounts}
      from creative_counters c where not c.is_learned order by c.day desc limit ${limit}::int
    )
    select jsonb_build_object(
      'rows', (select coalesce(jsonb_agg(to_jsonb(t)), '[]') from taken t),
      'offers', (
        select coalesce(jsonb_agg(jsonb_build_object('offerId', o.id, 'pricing', o.pricing,
          'maturity', coalesce(r.maturity, 1), 'rates', ${expectedRates}, 'creatives', (
            select jsonb_agg(jsonb_build_object('number', k.number, 'version', k.version,
              'isShown', k.status = 'active' and k.weight > 0, ${sql.raw(
                SUM_COLUMNS.map((name) => `'${name}', coalesce(s.${name}, 0)`).join(", "),
              )}) order by k.number)
            from ${creativesOf} k
              left join rate_creatives s on s.offer_id = o.id and s.number = k.number and s.version = k.version))), '[]')
        from offers o cross join rate_network n
          left join rate_offers r on r.offer_id = o.id
          left join rate_advertisers a on a.advertiser_id = o.advertiser_id
        where o.id in (select offer_id from taken)),
      'places', ${placesOfTaken},
      'slots', (
        select coalesce(jsonb_agg(jsonb_build_object('place', r.place, 'clicks', r.clicks, 'exposure', r.exposure)), '[]')
        from rate_slots r),
      'network', (
        select jsonb_build_object('maturity', r.maturity, 'halfLife', r.half_life, 'origin', r.origin,
          'day', (now() at time zone 'UTC')::date - date '1970-01-01')
        from rate_network r)) as found`);
  const [row] = rows;
  if (!row) throw new Error("the query returned no row");
  return row.found;
};

/**
 * Holds what is to be added to the sums of a creative, and its new share of the sessions, null where the share stays.
 */
export type LearnedCreative = RateSums & { offerId: string; number: number; version: number; share: number | null };

const COLUMNS = namesOf(SUM_COLUMNS);
const FIGURES = typesOf(SUM_COLUMNS);
const REPLACED = replacing(SUM_COLUMNS, "version");

/**
 * Adds what was learned from counters by creative, and marks in them what was learned, all or nothing. Nothing happens
 * if any of the counters was learned from meanwhile.
 *
 * @param rows the counters as they were found
 * @returns whether it happened
 */
export const addLearnedCreatives = async (
  db: Db,
  rows: readonly UnlearnedCreativeRow[],
  learned: readonly LearnedCreative[],
): Promise<boolean> => {
  const { rows: marked } = await db.execute<{ is_new: boolean }>(sql`
    with seen as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (day date, placement_id text, offer_id text,
        advertiser_id text, country text, arm text, place smallint, creative smallint, ${TEACHING_TYPES})
    ), locked as materialized (
      select c.day from creative_counters c
        join seen s using (day, placement_id, offer_id, advertiser_id, country, arm, place, creative)
      where ${isAsFound}
      order by c.day, c.placement_id, c.offer_id, c.advertiser_id, c.country, c.arm, c.place, c.creative for update of c
    ), verdict as materialized (
      select (select count(*) from locked) = (select count(*) from seen) as is_new
    ), marked as (
      update creative_counters c set ${noteLearned}
      from seen s, verdict
      where verdict.is_new and (c.day, c.placement_id, c.offer_id, c.advertiser_id, c.country, c.arm, c.place, c.creative)
        = (s.day, s.placement_id, s.offer_id, s.advertiser_id, s.country, s.arm, s.place, s.creative)
    ), added as (
      insert into rate_creatives as r (offer_id, number, version, ${COLUMNS}, share)
      select "offerId", number, version, ${COLUMNS}, share
      from verdict, jsonb_to_recordset(${JSON.stringify(learned)}::jsonb)
        as l ("offerId" text, number smallint, version integer, ${FIGURES}, share float8)
      where is_new order by 1, 2
      on conflict (offer_id, number) do update set ${REPLACED}, version = excluded.version,
        share = coalesce(excluded.share, r.share), folded_on = excluded.folded_on
    )
    select is_new from verdict`);
  return marked[0]?.is_new === true;
};
