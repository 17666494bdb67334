import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { sumPairs, type CellSums, type Fading, type RateSums } from "./sums.ts";
import type { Pricing } from "../schema/values.ts";

/** Names a row of the daily counters. */
export type CounterKey = {
  day: string;
  placement_id: string;
  offer_id: string;
  advertiser_id: string;
  country: string;
  arm: string;
  place: number;
};

/** Holds what a row of counters has to teach, and what was learned from it, as {@link teachingCounts} selects it. */
export type TeachingCounts = {
  impressions: number;
  clicks: number;
  conversions: number;
  untaught_clicks: number;
  inert_clicks: number;
  learned_impressions: number;
  learned_clicks: number;
  learned_conversions: number;
  learned_untaught_clicks: number;
  learned_inert_clicks: number;
};

/**
 * Holds a row of the daily counters that has more to teach than was learned from it. `serial` is null where the offer
 * is gone.
 */
export type UnlearnedRow = CounterKey &
  TeachingCounts & {
    days: number;
    serial: number | null;
    creative: number;
    pricing: Pricing;
  };

/** Holds what is known of the whole network. Strengths and rates come first for clicks, then for conversions. */
export type NetworkRates = RateSums &
  Fading & {
    clickStrengths: [number, number];
    conversionStrengths: [number, number];
    delays: number[];
    maturity: number;
    day: number;
  };

/** Holds what is known of offers and their advertisers over all places, each by its id, and of the whole network. */
export type KnownAnywhere = {
  offers: (RateSums & { offerId: string; maturity: number })[];
  advertisers: (RateSums & { advertiserId: string })[];
  network: NetworkRates;
};

/** Holds rows to learn from, and what is known of their offers, advertisers and places. */
export type Unlearned = KnownAnywhere & {
  rows: UnlearnedRow[];
  places: (RateSums & { placementId: string; country: string })[];
  cells: (CellSums & { placementId: string; country: string; serial: number })[];
  slots: { place: number; clicks: number; exposure: number }[];
};

const SUMS = sumPairs("r");

const listed = (members: SQL, from: SQL): SQL => sql`
  (select coalesce(jsonb_agg(jsonb_build_object(${members})), '[]') from ${from})`;

/** Selects the members of {@link KnownAnywhere} that are about the offers and advertisers of the rows of `taken`. */
export const knownAnywhere = sql`
  'offers', ${listed(
    sql`'offerId', r.offer_id, 'maturity', r.maturity, ${SUMS}`,
    sql`rate_offers r where r.offer_id in (select offer_id from taken)`,
  )},
  'advertisers', ${listed(
    sql`'advertiserId', r.advertiser_id, ${SUMS}`,
    sql`rate_advertisers r where r.advertiser_id in (select advertiser_id from taken)`,
  )},
  'network', (
    select jsonb_build_object(${SUMS}, 'clickStrengths', r.click_strengths, 'conversionStrengths',
      r.conversion_strengths, 'delays', r.delays, 'maturity', r.maturity, 'halfLife', r.half_life, 'origin', r.origin,
      'day', (now() at time zone 'UTC')::date - date '1970-01-01')
    from rate_network r)`;

/**
 * Selects what is known of the placements and countries of the rows of `taken`: of each pair, of each alone, and of
 * all.
 */
export const placesOfTaken = listed(
  sql`'placementId', r.placement_id, 'country', r.country, ${SUMS}`,
  sql`rate_places r
    where (r.placement_id, r.country) in (
      select placement_id, country from taken
      union select placement_id, '' from taken
      union select '', country from taken
      union select '', '')`,
);

/**
 * Selects what a row `c` of counters has to teach, and what was learned from it. Some clicks teach only how often an
 * offer is clicked, others only how often clicks convert.
 */
export const teachingCounts = sql.raw(
  `c.impressions - c.untaught_impressions as impressions, c.clicks - c.untaught_clicks as clicks,
  c.conversions - c.inert_conversions as conversions, c.untaught_clicks, c.inert_clicks,
  c.learned_impressions, c.learned_clicks, c.learned_conversions, c.learned_untaught_clicks, c.learned_inert_clicks`,
);

/** Names the types of what {@link teachingCounts} selects. */
export const TEACHING_TYPES = sql.raw(
  `impressions bigint, clicks bigint, conversions bigint, untaught_clicks bigint, inert_clicks bigint,
  learned_impressions bigint, learned_clicks bigint, learned_conversions bigint, learned_untaught_clicks bigint,
  learned_inert_clicks bigint`,
);

/**
 * Returns what a row of counters has to teach beyond what was learned from it. `clicked` has the clicks that teach how
 * often clicks convert. It is never below zero: an older version of the Worker that still runs does not know of inert
 * clicks, and may have learned from them.
 */
export const unlearnedOf = (row: TeachingCounts) => ({
  impressions: row.impressions - row.learned_impressions,
  clicks: row.clicks - row.learned_clicks,
  conversions: row.conversions - row.learned_conversions,
  clicked: Math.max(
    0,
    row.clicks +
      row.untaught_clicks -
      row.inert_clicks -
      (row.learned_clicks + row.learned_untaught_clicks - row.learned_inert_clicks),
  ),
});

/**
 * Tells whether nobody has learned from a row `c` of counters since it was found as `s`, and no change of texts has kept
 * its conversions from teaching.
 */
export const isAsFound = sql.raw(
  `(c.learned_impressions, c.learned_clicks, c.learned_conversions, c.learned_untaught_clicks, c.learned_inert_clicks)
    = (s.learned_impressions, s.learned_clicks, s.learned_conversions, s.learned_untaught_clicks, s.learned_inert_clicks)`,
);

/**
 * Marks in a row `c` of counters what was learned from it, and whether that is all: it has no more than when found, as
 * `s`.
 */
export const noteLearned = sql.raw(
  `learned_impressions = s.impressions, learned_clicks = s.clicks, learned_conversions = s.conversions,
  learned_untaught_clicks = s.untaught_clicks, learned_inert_clicks = s.inert_clicks,
  is_learned = (c.impressions - c.untaught_impressions, c.clicks, c.conversions - c.inert_conversions, c.untaught_clicks,
      c.inert_clicks)
    = (s.impressions, s.clicks + s.untaught_clicks, s.conversions, s.untaught_clicks, s.inert_clicks)`,
);

/**
 * Finds counters that have more to teach than was learned from them, the newest days first, and what is known of their
 * offers and places.
 */
export const findUnlearned = async (db: Db, limit: number): Promise<Unlearned> => {
  const { rows } = await db.execute<{ found: Unlearned }>(sql`
    with taken as materialized (
      select c.day, c.day - date '1970-01-01' as days, c.placement_id, c.offer_id, c.advertiser_id, c.country, c.arm, c.place,
        ${teachingCounts},
        o.serial, o.creative, o.pricing
      from daily_counters c left join offers o on o.id = c.offer_id
      where not c.is_learned and c.offer_id <> '' order by c.day desc limit ${limit}::int
    )
    select jsonb_build_object(
      'rows', (select coalesce(jsonb_agg(to_jsonb(t)), '[]') from taken t),
      'places', ${placesOfTaken},
      'cells', ${listed(
        sql`'placementId', r.placement_id, 'country', r.country, 'serial', r.serial, 'anywhere', r.anywhere, ${SUMS}`,
        sql`rate_cells r
          where (r.placement_id, r.country, r.serial, r.creative) in (
            select placement_id, country, serial, creative from taken
            union select placement_id, '', serial, creative from taken
            union select '', country, serial, creative from taken)`,
      )},
      'slots', ${listed(sql`'place', r.place, 'clicks', r.clicks, 'exposure', r.exposure`, sql`rate_slots r`)},
      ${knownAnywhere}) as found`);
  const [row] = rows;
  if (!row) throw new Error("the query returned no row");
  return row.found;
};
