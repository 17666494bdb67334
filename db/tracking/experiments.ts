import { sql, type SQL } from "drizzle-orm";
import type { Actor } from "../accounts/actor.ts";
import type { Db } from "../core/client.ts";
import { readableBy, total } from "./reports.ts";

/** Tells what is compared: days are UTC, `YYYY-MM-DD`, both included; arms are named as counters name them. */
export type ExperimentQuery = {
  from: string;
  to: string;
  publisherId?: string | undefined;
  learned: string;
  holdout: string;
};

/** Holds what was counted in an arm. Money is in micro-USD. */
export type ArmCounts = {
  arm: string;
  requests: number;
  fills: number;
  impressions: number;
  clicks: number;
  conversions: number;
  revenueMicros: number;
  grossMicros: number;
};

/** Holds one kind of money of a part of the sessions, in micro-USD, as functions/decision/experiment.ts compares it. */
export type PartMoney = { got: number; expected: number; beyond: number; spread: number };

/** Holds what a part of the sessions contributes to a comparison. `requests` are those of held-out sessions. */
export type PartCounts = { requests: number; revenue: PartMoney; gross: PartMoney };

/**
 * Tells what each arm counted, and what can be compared: its first day, the requests served by the learned order, and
 * its parts.
 */
export type Experiment = {
  arms: ArmCounts[];
  compared: { since: string | null; learned: number; parts: PartCounts[] };
};

const moneyOf = (column: string, rate: string): SQL => {
  const money = sql.raw(`k.${column}`);
  const usual = sql.raw(`s.${rate} * k.requests`);
  return sql`jsonb_build_object(
    'got', sum(case when k.is_held then ${money} else 0 end)::float8,
    'expected', sum(case when k.is_held then ${usual} else 0 end)::float8,
    'beyond', sum(case when k.is_held then 0 else s.held / s.served * (${money} - ${usual}) end)::float8,
    'spread', sum(case when k.is_held then 0 else sqrt(s.held / s.served) * (${money} - ${usual}) end)::float8)`;
};

/**
 * Reads what arms counted, and what two of them tell when they are compared, in one round trip.
 *
 * Requests are compared only within one publisher, and within one stretch of days in which its share of held-out
 * sessions stayed the same: otherwise publishers or days with more held-out sessions would count more in one arm than
 * in the other. Days on which the share changed are left out, and so are stretches in which an arm had no requests.
 */
export const readExperiment = async (db: Db, actor: Actor, query: ExperimentQuery): Promise<Experiment> => {
  const { from, to, publisherId, learned, holdout } = query;
  const wanted = sql`${readableBy(actor)} and c.day between ${from}::date and ${to}::date
    ${publisherId === undefined ? sql`` : sql`and c.publisher_id = ${publisherId}`}`;
  const [arms, compared] = await db.batch([
    db.execute<ArmCounts>(sql`
      select c.arm, ${total("requests")} as requests, ${total("fills")} as fills, ${total("impressions")} as impressions,
        ${total("clicks")} as clicks, ${total("conversions")} as conversions,
        ${total("revenue_micros")} as "revenueMicros", ${total("gross_micros")} as "grossMicros"
      from daily_counters c where ${wanted} group by c.arm order by c.arm`),
    db.execute<Experiment["compared"]>(sql`
      with counted as (
        select c.publisher_id, c.day, c.part, c.arm = ${holdout} as is_held, c.requests, c.gross_micros, c.revenue_micros,
          (select count(*) from unnest(b.holdout_changed_on) changed (day) where changed.day < c.day) as stretch
        from daily_parts c left join publishers b on b.id = c.publisher_id
        where ${wanted} and c.arm in (${learned}, ${holdout})
          and not c.day = any (coalesce(b.holdout_changed_on, '{}'))
      ), kept as materialized (
        select publisher_id, stretch, part, is_held, min(day) filter (where requests > 0) as since,
          sum(requests)::float8 as requests, sum(gross_micros)::float8 as gross, sum(revenue_micros)::float8 as revenue
        from counted group by publisher_id, stretch, part, is_held
      ), strata as materialized (
        select publisher_id, stretch, min(since) filter (where is_held) as since,
          sum(requests) filter (where is_held) as held, sum(requests) filter (where not is_held) as served,
          sum(gross) filter (where not is_held) as gross, sum(revenue) filter (where not is_held) as revenue
        from kept group by publisher_id, stretch
      ), comparable as materialized (
        select *, gross / served as gross_rate, revenue / served as revenue_rate
        from strata where held > 0 and served > 0
      ), parts as (
        select k.part, jsonb_build_object('requests', sum(case when k.is_held then k.requests else 0 end),
          'revenue', ${moneyOf("revenue", "revenue_rate")}, 'gross', ${moneyOf("gross", "gross_rate")}) as counted
        from kept k join comparable s using (publisher_id, stretch) group by k.part
      )
      select (select min(since)::text from comparable) as since,
        (select coalesce(sum(served), 0) from comparable)::float8 as learned,
        (select coalesce(jsonb_agg(counted order by part), '[]') from parts) as parts`),
  ]);
  const [found] = compared.rows;
  return { arms: arms.rows, compared: found ?? { since: null, learned: 0, parts: [] } };
};
