import { sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { holdRates } from "./rates.ts";
import { SUM_COLUMNS, weightToday, type JudgedDay } from "./sums.ts";

/**
 * Holds how many clicks of an offer are known, faded to today, and for each of the last days, the oldest first, its
 * clicks and those of all offers.
 */
type Unjudged = { offerId: string; creative: number; clicks: number; days: JudgedDay[] };

/**
 * Finds offers that were not judged today and that were expected to be clicked lately.
 *
 * @param within in how many days a shift is looked for
 */
export const findUnjudged = async (db: Db, within: number, limit: number): Promise<Unjudged[]> => {
  const { rows } = await db.execute<Unjudged>(sql`
    with since as materialized (
      select (now() at time zone 'UTC')::date - ${within}::int + 1 as day
    ), taken as materialized (
      select o.id, o.creative, r.clicks
      from since, rate_offers r join offers o on o.id = r.offer_id
      where r.judged_on < (now() at time zone 'UTC')::date and exists (
        select from rate_clicks d
        where d.offer_id = r.offer_id and d.day >= since.day and d.creative = o.creative and d.expected > 0)
      order by r.offer_id limit ${limit}::int
    ), days as materialized (
      select d.day, jsonb_build_object('taught', sum(d.taught), 'expected', sum(d.expected)) as clicks
      from since, rate_clicks d
      where d.day >= since.day and exists (select from taken)
      group by d.day
    )
    select t.id as "offerId", t.creative, t.clicks / ${weightToday} as clicks, (
      select jsonb_agg(jsonb_build_object('taught', d.taught, 'expected', d.expected, 'all', days.clicks) order by d.day)
      from rate_clicks d join days on days.day = d.day
      where d.offer_id = t.id and d.creative = t.creative) as days
    from taken t cross join rate_network n`);
  return rows;
};

/** Tells how many times as often as expected an offer was clicked; null where its rate has not shifted. */
type Judged = { offerId: string; creative: number; ratio: number | null };

const kept = (row: string, columns: readonly string[]) =>
  sql.raw(columns.map((name) => `${name} = ${row}.${name} * s.kept`).join(", "));

const lost = sql.raw(SUM_COLUMNS.map((name) => `sum(r.${name} * (1 - s.kept)) as ${name}`).join(", "));

const lowered = sql.raw(SUM_COLUMNS.map((name) => `${name} = a.${name} - l.${name}`).join(", "));

/**
 * Notes that offers were judged, and lets what is known of those that have shifted count for less, all or nothing. Nothing
 * changes for an offer that was judged today, or whose creative has changed since it was found.
 *
 * @param keeps which part of what is known of an offer still counts after a shift
 */
export const storeJudged = async (db: Db, judged: readonly Judged[], keeps: number): Promise<void> => {
  await db.batch([
    holdRates(db),
    db.execute(sql`
      with looked as materialized (
        select o.id, o.serial, o.creative, o.advertiser_id, j.ratio,
          case when j.ratio is null then 1 else ${keeps}::float8 end as kept
        from jsonb_to_recordset(${JSON.stringify(judged)}::jsonb) as j ("offerId" text, creative integer, ratio float8)
          join offers o on o.id = j."offerId" and o.creative = j.creative
          join rate_offers r on r.offer_id = o.id and r.judged_on < (now() at time zone 'UTC')::date
      ), shifted as materialized (
        select * from looked where ratio is not null
      ), days as (
        update rate_clicks d set taught = 0, expected = 0
        from shifted s where d.offer_id = s.id and (d.taught, d.expected) <> (0, 0)
      ), cells as (
        update rate_cells c set ${kept("c", [...SUM_COLUMNS, "anywhere"])}
        from shifted s where c.serial = s.serial and c.creative = s.creative
      ), advertisers as (
        update rate_advertisers a set ${lowered}
        from (
          select s.advertiser_id, ${lost} from shifted s join rate_offers r on r.offer_id = s.id group by s.advertiser_id
        ) l
        where a.advertiser_id = l.advertiser_id
      )
      update rate_offers r set ${kept("r", SUM_COLUMNS)}, judged_on = (now() at time zone 'UTC')::date,
        shifted_on = case when s.ratio is null then r.shifted_on else (now() at time zone 'UTC')::date end,
        shifted_creative = case when s.ratio is null then r.shifted_creative else s.creative end,
        shift_ratio = coalesce(s.ratio, r.shift_ratio)
      from looked s where r.offer_id = s.id`),
  ]);
};
