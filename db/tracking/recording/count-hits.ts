import { sql } from "drizzle-orm";
import type { Db } from "../../core/client.ts";
import { recentSql } from "../../demand/caps/taper.ts";
import type { EventOutcome } from "../../schema/values.ts";
import { COUNTED } from "../counted.ts";
import type { Conversion, Hit } from "../hits.ts";
import { judgeHits } from "./judge-hits.ts";
import { teaching } from "./teaching.ts";

const CREATIVE_SUMS = [...COUNTED, "untaught_impressions", "untaught_clicks", "inert_clicks", "inert_conversions"];
const SUMS = [...CREATIVE_SUMS, "billed"];
const KEY = "day, placement_id, offer_id, advertiser_id, country, arm, place";

const addedOf = (columns: readonly string[]) =>
  sql.raw(columns.map((column) => `${column} = c.${column} + excluded.${column}`).join(", "));

const sums = sql.raw(SUMS.join(", "));
const key = sql.raw(KEY);

const hasNothingToTeach = sql`excluded.impressions - excluded.untaught_impressions + excluded.clicks + excluded.conversions - excluded.inert_conversions = 0`;

// A hit on an earlier version of a further creative teaches nothing of that creative, but still teaches of the offer.
const countsOf = (isInertHere: "is_inert" | "is_inert_of_creative") => sql`
  count(*) filter (where kind = 'impression') as impressions, count(*) filter (where kind = 'viewable') as viewables,
  count(*) filter (where kind = 'click') as clicks, count(*) filter (where kind = 'close') as closes,
  count(*) filter (where closing = 'decline') as declines, count(*) filter (where closing = 'close') as endings,
  count(*) filter (where kind = 'conversion') as conversions, count(amount_micros) as transactions,
  count(*) filter (where is_untaught and kind = 'impression') as untaught_impressions,
  count(*) filter (where is_untaught and kind = 'click') as untaught_clicks,
  count(*) filter (where ${sql.raw(isInertHere)} and kind = 'click') as inert_clicks,
  count(*) filter (where ${sql.raw(isInertHere)} and kind = 'conversion') as inert_conversions,
  sum(gross) as gross_micros, sum(revenue) as revenue_micros`;

// A placement has one owner, so the owner of any of its hits is that of all.
const owner = sql`min(site_id) as site_id, min(publisher_id) as publisher_id`;

// Stores the first hit of its kind whole, and only the ids of later ones.
const stored = sql`
  inserted as (
    insert into events (issued_on, id, kind, outcome, closing, occurred_at, decision_id, placement_id, offer_id, revision,
      creative, place, arm, part, advertiser_id, country, session_hash, email_hash, transaction_id, amount_micros, currency,
      gross_micros, revenue_micros)
    select issued_on, id, kind, outcome, closing, occurred_at, decision_id, placement_id, offer_id, revision, creative, place,
      arm, part, advertiser_id, country, session_hash, email_hash, transaction_id, amount_micros, currency, gross, revenue
    from taught where not is_again
    order by transaction_id, issued_on, decision_id, offer_id, kind, outcome, id
    on conflict do nothing
    returning id
  ), repeats as (
    insert into counted_repeats (id) select id from taught where is_again order by id on conflict do nothing returning id
  ), settled as (
    select t.* from taught t join (select id from inserted union all select id from repeats) new on new.id = t.id
  )`;

// Postgres runs the CTEs that nothing reads at the end of the query, the last one first.
const counted = sql`
  used as (
    insert into offer_usage as u (offer_id, day, used, recent, recent_at)
    select offer_id, day, count(*), count(*), now()
    from settled
    where is_billed and is_capped
    group by offer_id, day
    order by offer_id, day
    on conflict (offer_id, day) do update set used = u.used + excluded.used,
      recent = ${recentSql} + excluded.recent, recent_at = greatest(u.recent_at, excluded.recent_at)
  ), tallied as (
    insert into daily_hits as t (day, placement_id, offer_id, kind, outcome, country, hits, gross_micros)
    select day, placement_id, offer_id, kind, outcome, country, count(*), sum(gross)
    from settled
    group by day, placement_id, offer_id, kind, outcome, country
    order by day, placement_id, offer_id, kind, outcome, country
    on conflict (day, placement_id, offer_id, kind, outcome, country) do update set hits = t.hits + excluded.hits,
      gross_micros = t.gross_micros + excluded.gross_micros
  ), parted as (
    insert into daily_parts as p (publisher_id, day, arm, part, gross_micros, revenue_micros)
    select publisher_id, day, arm, part, sum(gross), sum(revenue)
    from settled
    where outcome = 'counted' and gross > 0 and part is not null
    group by publisher_id, day, arm, part
    order by publisher_id, day, arm, part
    on conflict (publisher_id, day, arm, part) do update set gross_micros = p.gross_micros + excluded.gross_micros,
      revenue_micros = p.revenue_micros + excluded.revenue_micros
  ), grouped as (
    select ${key}, ${owner}, ${countsOf("is_inert")}, count(*) filter (where is_billed) as billed
    from settled
    where outcome = 'counted'
    group by ${key}
  ), counted as (
    insert into daily_counters as c (${key}, site_id, publisher_id, ${sums})
    select ${key}, site_id, publisher_id, ${sums}
    from grouped
    order by ${key}
    on conflict (${key}) do update set ${addedOf(SUMS)}, is_learned = c.is_learned and ${hasNothingToTeach}
  )`;

const creativeSums = sql.raw(CREATIVE_SUMS.join(", "));
const CREATIVE_KEY = sql.raw(`${KEY}, creative`);

// Counts by creative the hits on offers that have several.
const countedByCreative = sql`
  shown as (
    select ${CREATIVE_KEY}, ${owner}, ${countsOf("is_inert_of_creative")} from settled where outcome = 'counted' and creative > 0 group by ${CREATIVE_KEY}
  ), by_creative as (
    insert into creative_counters as c (${CREATIVE_KEY}, site_id, publisher_id, ${creativeSums})
    select ${CREATIVE_KEY}, site_id, publisher_id, ${creativeSums}
    from shown
    order by ${CREATIVE_KEY}
    on conflict (${CREATIVE_KEY}) do update set ${addedOf(CREATIVE_SUMS)}, is_learned = c.is_learned and ${hasNothingToTeach}
  ), `;

/** Holds what a statement did with a hit; the outcome is null for one that was stored before. */
export type CountedRow = { id: string; outcome: EventOutcome | null };

/**
 * Makes the statement that judges, stores and counts hits of one UTC day. To avoid deadlocks, every CTE writes in a
 * total order, and the CTEs run in the same order everywhere: recent billings, recent lessons, events, repeats,
 * counters, parts, hits, usage, counters by creative. Offers are locked before all of these.
 *
 * @returns a row for each hit that is now stored, or was before; none for a hit whose twin another consumer stored at
 *   the same time
 */
export const countHits = (db: Db, hits: readonly (Hit | Conversion)[]) =>
  db.execute<CountedRow>(sql`
  with ${judgeHits(hits)}, ${teaching}, ${stored}, ${hits.some(({ creative = 0 }) => creative > 0) ? countedByCreative : sql``}${counted}
  select t.id, s.outcome from told t left join settled s on s.id = t.id where t.is_again or s.id is not null`);
