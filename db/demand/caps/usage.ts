import { sql } from "drizzle-orm";
import { offers } from "../../schema/demand.ts";

/**
 * Tells how many paid events of an offer count towards its caps, on this UTC day and ever, and which cap is reached:
 * then the offer is not shown until midnight UTC, or never again.
 */
export type OfferUsage = { today: number; lifetime: number; reached: "DAILY" | "LIFETIME" | null };

/** Selects the usage of a row of `offers`, null without a cap: then no usage is kept. */
export const usageSql = sql<OfferUsage | null>`(
  select jsonb_build_object(
    'today', coalesce(sum(u.used) filter (where u.day = today.day), 0), 'lifetime', coalesce(sum(u.used), 0),
    'reached', case when ${offers}.capped_through = 'infinity' then 'LIFETIME'
      when ${offers}.capped_through >= today.day then 'DAILY' end)
  from (select (now() at time zone 'UTC')::date as day) today left join offer_usage u on u.offer_id = ${offers}.id
  where ${offers}.daily_cap is not null or ${offers}.lifetime_cap is not null
  group by today.day)`;
