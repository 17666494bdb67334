import { sql, type SQL } from "drizzle-orm";
import { millis } from "./sql.ts";

/** Sets how long a change stays listed: an hour longer than KV keeps candidates. */
const LISTED_HOURS = 25;

/**
 * Limits how many changes of offers, and how many of advertisers, are listed; with more, both lists begin at a later
 * time.
 */
const MAX_LISTED = 10_000;

/** Groups the serials of a table's changes by their times, in milliseconds after the list's start. */
const groups = (listed: SQL): SQL => sql`
  (select coalesce(jsonb_agg(jsonb_build_array(g.after) || g.serials), '[]') from (
    select ${millis(sql`l.changed_at`)} - ${millis(sql`bounds.since`)} as after, jsonb_agg(l.serial order by l.serial) as serials
    from ${listed} l where l.changed_at > bounds.since group by 1 order by 1) g)`;

const targeted = (dimension: string): SQL => sql`
  (select coalesce(jsonb_agg(value order by value), '[]') from targeting_values where dimension = ${dimension})`;

// Reads an index in its order and joins texts: at 10,000 offers this costs half of what lists of JSON do.
const paced = sql`
  (select coalesce('[' || string_agg(g.told, ',') || ']', '[]')::json from (
    select '[' || s.step || ',' || string_agg(s.gap::text, ',') || ']' as told from (
      select p.step, p.serial - lag(p.serial, 1, 0) over (partition by p.step order by p.serial) as gap
      from offer_paces p where p.is_on and p.step > 0 order by p.step, p.serial) s
    group by s.step) g)`;

// Leaves out new rows: no candidates were built with them before. An index serves this order.
const changed = (table: SQL): SQL => sql`
  select serial, changed_at from ${table}
  where changed_at > now() - make_interval(hours => ${LISTED_HOURS}::int) and changed_at > created_at
  order by changed_at desc limit ${MAX_LISTED + 1}::int`;

/** Selects the time of the latest change that a list has no room for; null where it has room for all. */
const firstLeftOut = (listed: SQL): SQL => sql`
  (select changed_at from ${listed} order by changed_at desc offset ${MAX_LISTED}::int limit 1)`;

/** Selects the network's document. */
export const networkQuery = (): SQL => sql`
  with changed_offers as materialized (
    (${changed(sql`offers`)}) union all select serial, deleted_at from deleted_offers
  ), changed_advertisers as materialized (${changed(sql`advertisers`)}
  ), bounds as materialized (
    select greatest(now() - make_interval(hours => ${LISTED_HOURS}::int), ${firstLeftOut(sql`changed_offers`)},
      ${firstLeftOut(sql`changed_advertisers`)}) as since
  )
  select json_build_object(
    'since', ${millis(sql`bounds.since`)},
    'offers', ${groups(sql`changed_offers`)},
    'advertisers', ${groups(sql`changed_advertisers`)},
    'tapered', (select coalesce(jsonb_agg(jsonb_build_array(t.taper) || t.serials), '[]') from (
      select o.taper, jsonb_agg(o.serial order by o.serial) as serials from offers o
      where o.taper > 0 and exists (select from offer_usage u
        where u.offer_id = o.id and u.day = (now() at time zone 'UTC')::date)
      group by o.taper) t),
    'paced', ${paced},
    'targeted', json_build_object(
      'languages', ${targeted("languages")}, 'currencies', ${targeted("currencies")},
      'paymentTypes', ${targeted("paymentTypes")}))
  from bounds`;
