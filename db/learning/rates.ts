import { sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { isAsFound, noteLearned, TEACHING_TYPES, type UnlearnedRow } from "./increases.ts";
import {
  adding,
  namesOf,
  replacing,
  SUM_COLUMNS,
  typesOf,
  type CellSums,
  type OfferDay,
  type OfferSums,
  type RateSums,
} from "./sums.ts";

/**
 * Tells what follows for an offer from all that is known: the rates of its advertiser's others, and an upper bound of
 * its own.
 */
export type Bound = {
  offerId: string;
  advertiserClickRate: number;
  advertiserConversionRate: number;
  boundRate: number | null;
};

/** Holds what is to be added to the tables of rates, and what then follows from them. */
export type Learned = {
  cells: (CellSums & { placementId: string; country: string; serial: number; creative: number; lift: number })[];
  offers: (OfferSums & Bound)[];
  days: (OfferDay & { creative: number })[];
  advertisers: (RateSums & { advertiserId: string; clickRate: number; conversionRate: number })[];
  places: (RateSums & { placementId: string; country: string })[];
  slots: { place: number; clicks: number; exposure: number }[];
  network: RateSums & { clickRate: number; conversionRate: number };
};

/** Says by how much an offer's bound has to move to change the order of candidates, so that few rows are written. */
export const MOVED = sql.raw("0.03");

const CELL_COLUMNS = [...SUM_COLUMNS, "anywhere"] as const;
const OFFER_COLUMNS = [...SUM_COLUMNS, "counted"] as const;
const DAY_COLUMNS = ["clicks", "taught", "expected"] as const;

const SUMS = namesOf(SUM_COLUMNS);
const FIGURES = typesOf(SUM_COLUMNS);
const CELL_SUMS = namesOf(CELL_COLUMNS);
const CELL_FIGURES = typesOf(CELL_COLUMNS);
const OFFER_SUMS = namesOf(OFFER_COLUMNS);
const OFFER_FIGURES = typesOf(OFFER_COLUMNS);
const DAY_SUMS = namesOf(DAY_COLUMNS);
const DAY_FIGURES = typesOf(DAY_COLUMNS);
const DAY_REPLACED = replacing(DAY_COLUMNS, "creative");
const ADDED = adding("excluded");
const REPLACED = replacing(CELL_COLUMNS, "creative");

/** Selects which part of the conversions of today's clicks has come. New clicks count as if they were today's. */
export const NEW_MATURITY = sql.raw("(select delays[1] from rate_network)");

/**
 * Brings ranks of offers up to their bounds, where these moved. It outdates nothing: documents renew themselves by age.
 * Ranks that somebody else is rewriting are left for the next time, so that nobody waits here.
 */
export const rankAnew = (db: Db, offers: readonly Pick<Bound, "offerId">[]) =>
  db.execute(sql`
    with moved as materialized (
    select k.serial, k.lane, offer_rank(o.priority, o.ecpm_micros, o.bid_micros, r.bound_rate) as rank
    from offers o join rate_offers r on r.offer_id = o.id join offer_ranks k on k.serial = o.serial
    where o.id in (select jsonb_array_elements_text(${JSON.stringify(offers.map(({ offerId }) => offerId))}::jsonb))
      and o.pricing <> 'CPM' and r.bound_rate is not null
      and abs(offer_rank(o.priority, o.ecpm_micros, o.bid_micros, r.bound_rate) - k.rank)
        > ${MOVED} * abs(o.priority * 100000000000000 - k.rank)
    for update of k skip locked)
    update offer_ranks k set rank = m.rank from moved m where k.serial = m.serial and k.lane = m.lane`);

/**
 * Keeps changes of offers, which lock the same row, from locking rates meanwhile: so nobody deadlocks, in whatever
 * order rates are locked.
 */
export const holdRates = (db: Db) => db.execute(sql`select from rate_network for no key update`);

/**
 * Adds to the tables of rates what was learned from counters, and marks in them what was learned, all or nothing.
 * Nothing happens if any of the counters was learned from meanwhile, or has conversions of texts that were changed.
 *
 * @param rows the counters as they were found
 * @returns whether it happened
 */
export const addLearned = async (db: Db, rows: readonly UnlearnedRow[], learned: Learned): Promise<boolean> => {
  const [, { rows: marked }] = await db.batch([
    holdRates(db),
    db.execute<{ is_new: boolean }>(sql`
      with seen as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (day date, placement_id text, offer_id text,
          advertiser_id text, country text, arm text, place smallint, ${TEACHING_TYPES})
      ), locked as materialized (
        select c.day from daily_counters c join seen s using (day, placement_id, offer_id, advertiser_id, country, arm, place)
        where ${isAsFound}
        order by c.day, c.placement_id, c.offer_id, c.advertiser_id, c.country, c.arm, c.place for update of c
      ), verdict as materialized (
        select (select count(*) from locked) = (select count(*) from seen) as is_new
      ), marked as (
        update daily_counters c set ${noteLearned}
        from seen s, verdict
        where verdict.is_new and (c.day, c.placement_id, c.offer_id, c.advertiser_id, c.country, c.arm, c.place)
          = (s.day, s.placement_id, s.offer_id, s.advertiser_id, s.country, s.arm, s.place)
      ), clicks as (
        insert into rate_clicks as r (offer_id, day, creative, ${DAY_SUMS})
        select "offerId", date '1970-01-01' + day, creative, ${DAY_SUMS}
        from verdict, jsonb_to_recordset(${JSON.stringify(learned.days)}::jsonb)
          as l ("offerId" text, day integer, creative integer, ${DAY_FIGURES})
        where is_new order by 1, 2
        on conflict (offer_id, day) do update set ${DAY_REPLACED}, creative = excluded.creative
      ), cells as (
        insert into rate_cells as r (placement_id, country, serial, creative, ${CELL_SUMS}, lift)
        select "placementId", country, serial, creative, ${CELL_SUMS}, lift
        from verdict, jsonb_to_recordset(${JSON.stringify(learned.cells)}::jsonb)
          as l ("placementId" text, country text, serial integer, creative integer, ${CELL_FIGURES}, lift float8)
        where is_new order by 1, 2, 3
        on conflict (placement_id, country, serial) do update set ${REPLACED}, creative = excluded.creative,
          lift = excluded.lift, folded_on = excluded.folded_on
      ), offers as (
        insert into rate_offers as r (offer_id, ${OFFER_SUMS}, advertiser_click_rate, advertiser_conversion_rate, bound_rate,
          maturity)
        select "offerId", ${OFFER_SUMS}, "advertiserClickRate", "advertiserConversionRate", "boundRate", ${NEW_MATURITY}
        from verdict, jsonb_to_recordset(${JSON.stringify(learned.offers)}::jsonb)
          as l ("offerId" text, ${OFFER_FIGURES}, "advertiserClickRate" float8, "advertiserConversionRate" float8,
            "boundRate" float8)
        where is_new order by 1
        on conflict (offer_id) do update set ${adding("excluded", OFFER_COLUMNS)}, bound_rate = excluded.bound_rate,
          advertiser_click_rate = excluded.advertiser_click_rate,
          advertiser_conversion_rate = excluded.advertiser_conversion_rate, folded_on = excluded.folded_on,
          maturity = coalesce((greatest(r.clicked, 0) * r.maturity + greatest(excluded.clicked, 0) * excluded.maturity)
            / nullif(greatest(r.clicked, 0) + greatest(excluded.clicked, 0), 0), r.maturity)
      ), advertisers as (
        insert into rate_advertisers as r (advertiser_id, ${SUMS}, click_rate, conversion_rate)
        select "advertiserId", ${SUMS}, "clickRate", "conversionRate"
        from verdict, jsonb_to_recordset(${JSON.stringify(learned.advertisers)}::jsonb)
          as l ("advertiserId" text, ${FIGURES}, "clickRate" float8, "conversionRate" float8)
        where is_new order by 1
        on conflict (advertiser_id) do update set ${ADDED}, click_rate = excluded.click_rate,
          conversion_rate = excluded.conversion_rate
      ), places as (
        insert into rate_places as r (placement_id, country, ${SUMS})
        select "placementId", country, ${SUMS}
        from verdict, jsonb_to_recordset(${JSON.stringify(learned.places)}::jsonb) as l ("placementId" text, country text, ${FIGURES})
        where is_new order by 1, 2
        on conflict (placement_id, country) do update set ${ADDED}, folded_on = excluded.folded_on
      ), slots as (
        insert into rate_slots as r (place, clicks, exposure)
        select place, clicks, exposure
        from verdict, jsonb_to_recordset(${JSON.stringify(learned.slots)}::jsonb) as l (place smallint, clicks float8, exposure float8)
        where is_new order by 1
        on conflict (place) do update set clicks = r.clicks + excluded.clicks, exposure = r.exposure + excluded.exposure
      ), network as (
        update rate_network r set ${adding("l")}, click_rate = l."clickRate", conversion_rate = l."conversionRate"
        from verdict, jsonb_to_record(${JSON.stringify(learned.network)}::jsonb)
          as l (${FIGURES}, "clickRate" float8, "conversionRate" float8)
        where is_new
      )
      select is_new from verdict`),
    rankAnew(db, learned.offers),
  ]);
  return marked[0]?.is_new === true;
};
