import { sql, type SQL } from "drizzle-orm";
import { millis } from "./sql.ts";

/** For how long a stopped offer is listed: longer than any candidates document lives. */
const STOPPED_DAYS = 2;

const isRecent = (time: SQL) => sql`${time} > now() - make_interval(days => ${STOPPED_DAYS}::int)`;

// Three lists that share no offer, each with an index of its own. An offer that was stopped on two counts is listed from
// the first stop only: no candidates were built with it since.
export const networkQuery = (): SQL => sql`
  select json_build_object(
    'changedAt', greatest(0, (select ${millis(sql`max(changed_at)`)} from offers),
      (select ${millis(sql`max(changed_at)`)} from advertisers)),
    'stopped', coalesce((select json_object_agg(stopped.id, stopped.until) from (
      select o.id, 0::bigint as until from offers o
      where o.status <> 'active' and ${isRecent(sql`o.changed_at`)}
      union all
      select o.id, 0 from advertisers a join offers o on o.advertiser_id = a.id and o.status = 'active'
      where a.status <> 'active' and ${isRecent(sql`a.changed_at`)}
      union all
      select o.id, case when o.capped_through = 'infinity' then 0
        else ${millis(sql`(o.capped_through + 1)::timestamp at time zone 'UTC'`)} end
      from offers o join advertisers a on a.id = o.advertiser_id and a.status = 'active'
      where o.status = 'active' and o.capped_through >= (now() at time zone 'UTC')::date
    ) stopped), '{}'))`;
