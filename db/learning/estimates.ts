import { sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { isOneOf } from "../schema/columns.ts";
import { SETTLING_OUTCOMES } from "../schema/values.ts";
import { placesOfTaken } from "./increases.ts";
import { sumPairs, type Fading, type RateSums } from "./sums.ts";

/** Limits from how many cells, and from how many offers, strengths are estimated: those with the latest counts. */
const SAMPLE = 5_000;

/** Limits how many conversions tell of delays. */
const CONVERSIONS = 20_000;

/** Holds what happened to an offer, the rates of its advertiser's others, and what part of its conversions has come. */
export type RatedOffer = RateSums & { clickRate: number; conversionRate: number; maturity: number };

/** Holds what happened to an offer in a placement and country. */
export type RatedCell = RateSums & { offer: RatedOffer; placementId: string; country: string };

/** Holds what strengths, delays and maturities are estimated from. Sums are as the tables have them. */
export type Sample = {
  /** Tells of offers, with the rates of their advertisers. */
  offers: RatedOffer[];
  /** Tells of offers in a placement and country, with what is known of each offer. */
  cells: RatedCell[];
  /** Tells of the placements and countries of the cells: of each pair, of each alone, and of all. */
  places: (RateSums & { placementId: string; country: string })[];
  /**
   * Tells which part of all clicks' conversions had come at the last estimate, and how many clicks there were until
   * now.
   */
  maturity: number;
  clicked: number;
  /** Counts conversions by the number of whole days after their click. */
  delays: number[];
  /**
   * Lists offers whose clicks of the last days may convert. `recent` has the clicks on the present texts by age in days,
   * `counted` the weight of all clicks that may convert, of any age, and `clicked` that weight corrected by the factors
   * of their places.
   */
  clicks: { offerId: string; creative: number; clicked: number; counted: number; recent: [number, number][] }[];
};

const RATES = sql.raw(
  `'clickRate', r.advertiser_click_rate, 'conversionRate', r.advertiser_conversion_rate, 'maturity', r.maturity`,
);

/** Says whether an hour has passed since strengths were estimated, and how days weigh. */
export const findEstimated = async (db: Db): Promise<Fading & { isDue: boolean; day: number }> => {
  const { rows } = await db.execute<Fading & { isDue: boolean; day: number }>(sql`
    select half_life as "halfLife", origin, estimated_at <= now() - interval '1 hour' as "isDue",
      (now() at time zone 'UTC')::date - date '1970-01-01' as day
    from rate_network`);
  const [row] = rows;
  if (!row) throw new Error("the table rate_network has lost its row");
  return row;
};

/**
 * Finds what strengths, delays and maturities are estimated from.
 *
 * @param waited for how many days after a click its conversion is waited for
 */
export const findSample = async (db: Db, waited: number): Promise<Sample> => {
  const { rows } = await db.execute<Sample>(sql`
    with taken as materialized (
      select * from rate_cells where placement_id <> '' and country <> '' order by folded_on desc limit ${SAMPLE}::int
    )
    select
      (select coalesce(jsonb_agg(jsonb_build_object(${sumPairs("r")}, ${RATES})), '[]')
        from (select * from rate_offers order by folded_on desc limit ${SAMPLE}::int) r) as offers,
      (select coalesce(jsonb_agg(jsonb_build_object(${sumPairs("c")}, 'placementId', c.placement_id, 'country', c.country,
          'offer', jsonb_build_object(${sumPairs("r")}, ${RATES}))), '[]')
        from taken c
          join offers o on o.serial = c.serial and o.creative = c.creative
          join rate_offers r on r.offer_id = o.id) as cells,
      ${placesOfTaken} as places,
      (select maturity from rate_network) as maturity, (select clicked from rate_network) as clicked,
      array(select count(d.day)::float8 from generate_series(0, ${waited}::int) days (day) left join (
        select floor(extract(epoch from v.occurred_at - k.occurred_at) / 86400)::int as day
        from events v join events k on k.issued_on = v.issued_on and k.decision_id = v.decision_id and k.offer_id = v.offer_id
          and k.kind = 'click' and ${isOneOf(sql`k.outcome`, SETTLING_OUTCOMES)}
        where v.kind = 'conversion' and v.outcome = 'counted' and v.issued_on <= (now() at time zone 'UTC')::date - ${waited}::int
          and v.issued_on > (now() at time zone 'UTC')::date - 2 * ${waited}::int
        limit ${CONVERSIONS}::int) d using (day) group by days.day order by days.day) as delays,
      (select coalesce(jsonb_agg(jsonb_build_object('offerId', r.offer_id, 'creative', recent.creative, 'clicked', r.clicked,
          'counted', r.counted, 'recent', recent.days)), '[]')
        from (
          select o.id as offer_id, o.creative, coalesce(jsonb_agg(jsonb_build_array((now() at time zone 'UTC')::date - d.day, d.clicks))
            filter (where d.creative = o.creative), '[]') as days
          from offers o join rate_clicks d on d.offer_id = o.id
          where d.clicks > 0 and d.day > (now() at time zone 'UTC')::date - ${waited}::int
          group by o.id) recent
          join rate_offers r on r.offer_id = recent.offer_id) as clicks`);
  const [row] = rows;
  if (!row) throw new Error("the query returned no row");
  return row;
};

/** Holds what was estimated, first for clicks, then for conversions. */
export type Estimates = Fading & {
  clickStrengths: readonly number[];
  conversionStrengths: readonly number[];
  delays: readonly number[];
  maturity: number;
  maturities: readonly { offerId: string; creative: number; maturity: number }[];
};

const numbers = (list: readonly number[]) =>
  sql`array(select jsonb_array_elements_text(${JSON.stringify(list)}::jsonb)::float8)`;

/**
 * Stores what was estimated. Offers that are not listed, or whose texts have changed since, count as having all their
 * conversions. It locks the network's rates first, as everything does that adds to rates.
 */
export const storeEstimates = async (db: Db, estimates: Estimates): Promise<void> => {
  await db.batch([
    db.execute(sql`
      update rate_network set click_strengths = ${numbers(estimates.clickStrengths)},
        conversion_strengths = ${numbers(estimates.conversionStrengths)}, delays = ${numbers(estimates.delays)}, maturity = ${estimates.maturity}::float8,
        half_life = ${estimates.halfLife}::float8, origin = ${estimates.origin}::float8, estimated_at = now()`),
    db.execute(sql`
      update rate_offers r set maturity = e.maturity
      from (
        select k.offer_id, coalesce(m.maturity, 1) as maturity
        from rate_offers k left join (
          jsonb_to_recordset(${JSON.stringify(estimates.maturities)}::jsonb)
            as m ("offerId" text, creative integer, maturity float8)
          join offers o on o.id = m."offerId" and o.creative = m.creative) on m."offerId" = k.offer_id
        where m.maturity is not null or k.clicked > 0) e
      where r.offer_id = e.offer_id and r.maturity <> e.maturity`),
  ]);
};
