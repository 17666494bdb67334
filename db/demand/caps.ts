import { sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { documentKeySql } from "../documents/keys.ts";
import { outdateSql } from "../documents/outdate.ts";

const given = (ids: readonly string[]) =>
  sql`any (array(select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)))`;

/**
 * Waits for others that count towards offers' caps, or change them, and makes later ones wait for this batch. For the
 * place before {@link judgeCaps}, which as a statement of its own sees what they wrote.
 */
export const lockCaps = (db: Db, offerIds: readonly string[]) =>
  db.execute(sql`
    select o.id from offers o
    where o.id = ${given(offerIds)} and (o.daily_cap is not null or o.lifetime_cap is not null)
    order by o.id for no key update`);

/**
 * Brings `capped_through` of offers up to their usage and caps, and announces a change of it to the edge. For the batch
 * that counts usage or changes a cap, once the offers are locked.
 *
 * @returns a statement with a row if any offer came over a cap, or is no longer over one
 */
export const judgeCaps = (db: Db, offerIds: readonly string[]) =>
  db.execute(sql`
    with judged as (
      select o.id, case
        when o.lifetime_cap <= used.ever then 'infinity'
        when o.daily_cap <= used.today then today.day end as capped_through,
        case when o.capped_through >= today.day then o.capped_through end as before
      from offers o
        cross join (select (now() at time zone 'UTC')::date as day) today
        cross join lateral (
          select sum(u.used) as ever, sum(u.used) filter (where u.day = today.day) as today
          from offer_usage u where u.offer_id = o.id) used
      where o.id = ${given(offerIds)}
        and (o.daily_cap is not null or o.lifetime_cap is not null or o.capped_through is not null)
    ), changed as (
      update offers o set capped_through = j.capped_through
      from judged j where o.id = j.id and j.capped_through is distinct from j.before
      returning o.id
    )
    ${outdateSql(sql`select ${documentKeySql.network} from changed limit 1`)}`);
