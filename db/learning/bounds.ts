import { sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import type { Pricing } from "../schema/values.ts";
import { knownAnywhere, type KnownAnywhere } from "./increases.ts";
import { NEW_MATURITY, holdRates, MOVED, rankAnew, type Bound } from "./rates.ts";

/** Holds offers and what is known of them; `isNew` tells that an offer never had a bound. */
export type Unbounded = KnownAnywhere & {
  subjects: { offerId: string; advertiserId: string; pricing: Pricing; isNew: boolean }[];
};

/** Finds active offers whose bound is to be worked out: first those that have none, then others by chance. */
export const findUnbounded = async (db: Db, limit: number): Promise<Unbounded> => {
  const { rows } = await db.execute<{ found: Unbounded }>(sql`
    with taken as materialized (
      select o.id as offer_id, o.advertiser_id, o.pricing, r.bound_rate is null as is_new
      from offers o left join rate_offers r on r.offer_id = o.id
      where o.status = 'active' and o.pricing <> 'CPM' order by r.bound_rate is not null, random() limit ${limit}::int
    )
    select jsonb_build_object(
      'subjects', (select coalesce(jsonb_agg(jsonb_build_object('offerId', offer_id, 'advertiserId', advertiser_id,
        'pricing', pricing, 'isNew', is_new)), '[]') from taken),
      ${knownAnywhere}) as found`);
  const [row] = rows;
  if (!row) throw new Error("the query returned no row");
  return row.found;
};

/**
 * Stores bounds of offers that had none, or whose bound moved, and brings their ranks up to them. An offer gets none if
 * it is gone by now, or if its pricing is no longer the one that its bound is for.
 */
export const storeBounds = async (db: Db, bounds: readonly (Bound & { pricing: Pricing })[]): Promise<void> => {
  await db.batch([
    holdRates(db),
    db.execute(sql`
      insert into rate_offers as r (offer_id, advertiser_click_rate, advertiser_conversion_rate, bound_rate, maturity)
      select "offerId", "advertiserClickRate", "advertiserConversionRate", "boundRate", ${NEW_MATURITY}
      from jsonb_to_recordset(${JSON.stringify(bounds)}::jsonb) as b ("offerId" text, pricing text,
        "advertiserClickRate" float8, "advertiserConversionRate" float8, "boundRate" float8)
        join offers o on o.id = b."offerId" and o.pricing = b.pricing
      order by 1
      on conflict (offer_id) do update set advertiser_click_rate = excluded.advertiser_click_rate,
        advertiser_conversion_rate = excluded.advertiser_conversion_rate, bound_rate = excluded.bound_rate
      where r.bound_rate is null or abs(excluded.bound_rate - r.bound_rate) > ${MOVED} * r.bound_rate`),
    rankAnew(db, bounds),
  ]);
};
