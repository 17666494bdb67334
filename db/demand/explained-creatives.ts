import { sql, type SQL } from "drizzle-orm";
import { creativesOf, expectedRates } from "../learning/creatives.ts";
import { weightToday, type RateSums } from "../learning/sums.ts";
import type { OfferStatus, Pricing } from "../schema/values.ts";

/** Describes a creative of an offer and what happened to it, faded to today; `id` is null for the offer's own. */
export type ExplainedCreative = RateSums & {
  id: string | null;
  number: number;
  name: string;
  status: OfferStatus;
  weight: number;
};

/** Describes the creatives of an offer that are not archived; `rates` are the rates to expect of the offer. */
export type ExplainedCreatives = { pricing: Pricing; rates: [number, number]; creatives: ExplainedCreative[] };

/** Selects the creatives of an offer, as {@link ExplainedCreatives}. */
export const explainedCreatives = (offerId: SQL): SQL => sql`(
  select jsonb_build_object('pricing', o.pricing, 'rates', ${expectedRates}, 'creatives', (
    select jsonb_agg(jsonb_build_object('id', k.id, 'number', k.number, 'name', k.name, 'status', k.status,
      'weight', k.weight, 'clicks', coalesce(s.clicks, 0) / n.today, 'exposure', coalesce(s.exposure, 0) / n.today,
      'conversions', coalesce(s.conversions, 0) / n.today,
      'clicked', coalesce(s.clicked * coalesce(r.maturity, 1), 0) / n.today) order by k.number)
    from ${creativesOf} k
      left join rate_creatives s on s.offer_id = o.id and s.number = k.number and s.version = k.version
    where k.status <> 'archived'))
  from offers o cross join (
      select n.click_rate, n.conversion_rate, ${weightToday} as today from rate_network n) n
    left join rate_offers r on r.offer_id = o.id
    left join rate_advertisers a on a.advertiser_id = o.advertiser_id
  where o.id = ${offerId})`;
