import { sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { holdRates } from "./rates.ts";
import type { Fading, OfferDay } from "./sums.ts";

/** Holds what happened to an offer anywhere, as the tables have it, and on each of the last days, the oldest first. */
type Unjudged = {
  offerId: string;
  creative: number;
  clicks: number;
  exposure: number;
  days: Pick<OfferDay, "day" | "taught" | "exposure">[];
};

/** Holds offers to be judged, today since 1970, and how days weigh. */
type Found = Fading & { today: number; offers: Unjudged[] };

/**
 * Finds offers that were shown lately, and of which it was not looked at today whether their rates have shifted.
 *
 * @param within days in which a shift is looked for
 */
export const findUnjudged = async (db: Db, within: number, limit: number): Promise<Found> => {
  const { rows } = await db.execute<Found>(sql`
    with recent as materialized (
      select (now() at time zone 'UTC')::date as today, (now() at time zone 'UTC')::date - ${within}::int as before
    ), taken as materialized (
      select o.id, o.creative, r.clicks, r.exposure
      from recent, rate_offers r join offers o on o.id = r.offer_id
      where r.judged_on < recent.today and exists (
        select from rate_clicks d where d.offer_id = r.offer_id and d.day > recent.before and d.exposure > 0)
      order by r.offer_id limit ${limit}::int
    )
    select n.half_life as "halfLife", n.origin, recent.today - date '1970-01-01' as today, (
      select coalesce(jsonb_agg(jsonb_build_object('offerId', t.id, 'creative', t.creative, 'clicks', t.clicks,
        'exposure', t.exposure, 'days', (
          select coalesce(jsonb_agg(jsonb_build_object('day', d.day - date '1970-01-01', 'taught', d.taught, 'exposure',
            d.exposure) order by d.day), '[]')
          from rate_clicks d where d.offer_id = t.id and d.day > recent.before and d.creative = t.creative))), '[]')
      from taken t) as offers
    from recent, rate_network n`);
  const [row] = rows;
  if (!row) throw new Error("the table rate_network has lost its row");
  return row;
};

/**
 * Tells which parts of an offer's clicks and exposure count on: all where its rate has not shifted. `since` is the first day
 * after a shift, counted from 1970.
 */
type Judged = { offerId: string; creative: number; since: number; clicks: number; exposure: number };

/**
 * Notes that offers were judged, and lets what came before a shift count for less in all that is known of them, all or
 * nothing. Nothing changes of an offer that was judged today, or whose creative has changed since it was found.
 */
export const storeJudged = async (db: Db, judged: readonly Judged[]): Promise<void> => {
  await db.batch([
    holdRates(db),
    db.execute(sql`
      with looked as materialized (
        select o.id, o.serial, o.creative, o.advertiser_id, j.since, j.clicks as clicks_kept, j.exposure as exposure_kept,
          r.clicks * (1 - j.clicks) as clicks, r.exposure * (1 - j.exposure) as exposure
        from jsonb_to_recordset(${JSON.stringify(judged)}::jsonb)
          as j ("offerId" text, creative integer, since integer, clicks float8, exposure float8)
          join offers o on o.id = j."offerId" and o.creative = j.creative
          join rate_offers r on r.offer_id = o.id and r.judged_on < (now() at time zone 'UTC')::date
      ), shifted as materialized (
        select * from looked where clicks_kept <> 1 or exposure_kept <> 1
      ), days as (
        update rate_clicks d set taught = 0, exposure = 0
        from shifted s where d.offer_id = s.id and d.day < date '1970-01-01' + s.since
      ), cells as (
        update rate_cells c set clicks = c.clicks * s.clicks_kept, exposure = c.exposure * s.exposure_kept,
          anywhere = c.anywhere * s.exposure_kept
        from shifted s where c.serial = s.serial and c.creative = s.creative
      ), advertisers as (
        update rate_advertisers a set clicks = a.clicks - s.clicks, exposure = a.exposure - s.exposure
        from (select advertiser_id, sum(clicks) as clicks, sum(exposure) as exposure from shifted group by 1) s
        where a.advertiser_id = s.advertiser_id
      )
      update rate_offers r set clicks = r.clicks - l.clicks, exposure = r.exposure - l.exposure,
        judged_on = (now() at time zone 'UTC')::date
      from looked l where r.offer_id = l.id`),
  ]);
};
