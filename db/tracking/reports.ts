import { sql, type SQL } from "drizzle-orm";
import type { Manager } from "../accounts/actor.ts";
import type { Db } from "../core/client.ts";
import type { EventKind } from "../schema/values.ts";

/** Lists what rows of a report can be split by, and how time is. */
export const GROUPS = ["PLACEMENT", "SITE", "COUNTRY"] as const;
export const BREAKDOWNS = ["DAY", "WEEK", "MONTH", "NONE"] as const;

export type Group = (typeof GROUPS)[number];
export type Breakdown = (typeof BREAKDOWNS)[number];

/** Tells which counters a report adds up. Days are UTC, `YYYY-MM-DD`, both included. */
export type ReportQuery = {
  from: string;
  to: string;
  groups: readonly Group[];
  breakdown: Breakdown;
  placementId?: string | undefined;
  siteId?: string | undefined;
};

/**
 * Holds a row of a report: what it is split by, then what was counted. Money is in whole micro-USD, rounded from exact
 * sums. The name of a site or placement that is gone is null.
 */
export type ReportRow = {
  period: string | null;
  siteId: string | null;
  siteName: string | null;
  placementId: string | null;
  placementName: string | null;
  country: string | null;
  requests: number;
  impressions: number;
  viewable: number;
  clicks: number;
  closes: number;
  conversions: number;
  transactions: number;
  revenueMicros: number;
  grossMicros: number;
};

const total = (column: string): SQL => sql.raw(`round(sum(c.${column}))::double precision`);

/** Maps each kind of splitting to the columns that it shows, as they stand in the select list and in the grouping. */
const GROUP_COLUMNS: Record<Group, { columns: string[]; expressions: string[] }> = {
  SITE: { columns: ["siteId", "siteName"], expressions: ["c.site_id", "s.name"] },
  PLACEMENT: { columns: ["placementId", "placementName"], expressions: ["c.placement_id", "p.name"] },
  COUNTRY: { columns: ["country"], expressions: ["c.country"] },
};

const PERIODS: Record<Exclude<Breakdown, "NONE">, string> = {
  DAY: "c.day",
  WEEK: "date_trunc('week', c.day)::date",
  MONTH: "date_trunc('month', c.day)::date",
};

/**
 * Adds up a publisher's daily counters, in one query. They carry their owner, so that what was earned stays in the report
 * when its placement or site is deleted.
 *
 * @param query at least one group
 * @param limit the most rows that are read; one more than is shown tells that there are too many
 */
export const readReport = async (
  db: Db,
  publisherId: string,
  { from, to, groups, breakdown, placementId, siteId }: ReportQuery,
  limit: number,
): Promise<ReportRow[]> => {
  const keys = groups.flatMap((group) => GROUP_COLUMNS[group].expressions);
  const named = groups.flatMap((group) =>
    GROUP_COLUMNS[group].expressions.map((expression, i) => `${expression} as "${GROUP_COLUMNS[group].columns[i]}"`),
  );
  const period = breakdown === "NONE" ? [] : [PERIODS[breakdown]];
  const select = [...period.map((expression) => `${expression}::text as period`), ...named]
    .map((part) => `${part},`)
    .join(" ");
  const split = [...period, ...keys].join(", ");
  const result = await db.execute<ReportRow>(sql`
    select ${sql.raw(select)}
      ${total("requests")} as requests, ${total("impressions")} as impressions, ${total("viewables")} as viewable,
      ${total("clicks")} as clicks, ${total("closes")} as closes, ${total("conversions")} as conversions,
      ${total("transactions")} as transactions, ${total("revenue_micros")} as "revenueMicros",
      ${total("gross_micros")} as "grossMicros"
    from daily_counters c left join sites s on s.id = c.site_id
      left join placements p on p.id = c.placement_id and exists (select from sites own where own.id = p.site_id)
    where c.publisher_id = ${publisherId} and c.day between ${from}::date and ${to}::date
      ${placementId === undefined ? sql`` : sql`and c.placement_id = ${placementId}`}
      ${siteId === undefined ? sql`` : sql`and c.site_id = ${siteId}`}
    group by ${sql.raw(split)}
    order by ${sql.raw(split)}
    limit ${limit}`);
  return result.rows;
};

/** Tells which hits to add up. Days are UTC, `YYYY-MM-DD`, both included. */
export type HitsQuery = { from: string; to: string; offerId?: string | undefined; placementId?: string | undefined };

/** Tells how often an offer's tracking URLs were called at a placement, and what became of it. */
export type HitsRow = {
  offerId: string;
  placementId: string;
  kind: EventKind;
  hits: number;
  unique: number;
  repeated: number;
  overCap: number;
  reversed: number;
  duplicate: number;
  bot: number;
  expired: number;
  test: number;
};

const outcome = (name: string): SQL =>
  sql.raw(`coalesce(sum(h.hits) filter (where h.outcome = '${name}'), 0)::double precision`);

/** Adds up raw and counted hits of a manager's offers by offer, placement and kind. */
export const readHits = async (db: Db, manager: Manager, query: HitsQuery, limit: number): Promise<HitsRow[]> => {
  const managed =
    manager.kind === "admin"
      ? sql`true`
      : sql`h.offer_id in (
          select o.id from offers o join advertisers a on a.id = o.advertiser_id where a.platform_id = ${manager.platformId})`;
  const result = await db.execute<HitsRow>(sql`
    select h.offer_id as "offerId", h.placement_id as "placementId", h.kind, sum(h.hits)::double precision as hits,
      ${outcome("counted")} as "unique", ${outcome("repeated")} as repeated, ${outcome("over_cap")} as "overCap",
      ${outcome("reversed")} as reversed, ${outcome("duplicate")} as duplicate, ${outcome("bot")} as bot,
      ${outcome("expired")} as expired, ${outcome("test")} as test
    from daily_hits h
    where ${managed} and h.day between ${query.from}::date and ${query.to}::date
      ${query.offerId === undefined ? sql`` : sql`and h.offer_id = ${query.offerId}`}
      ${query.placementId === undefined ? sql`` : sql`and h.placement_id = ${query.placementId}`}
    group by h.offer_id, h.placement_id, h.kind
    order by h.offer_id, h.placement_id, h.kind
    limit ${limit}`);
  return result.rows;
};
