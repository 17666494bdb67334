import { sql, type SQL } from "drizzle-orm";
import type { Actor } from "../accounts/actor.ts";
import type { Db } from "../core/client.ts";
import { COUNTED } from "./counted.ts";

/** Lists what rows of a report can be split by, and the periods of time. */
export const GROUPS = ["PLACEMENT", "SITE", "COUNTRY", "PUBLISHER", "OFFER", "ADVERTISER", "ARM", "CREATIVE"] as const;
export const BREAKDOWNS = ["DAY", "WEEK", "MONTH", "NONE"] as const;

export type Group = (typeof GROUPS)[number];
export type Breakdown = (typeof BREAKDOWNS)[number];

/** Maps what a report may be limited to onto columns: each by its id, a country by its code. */
const FILTERS = {
  publisherId: sql`c.publisher_id`,
  siteId: sql`c.site_id`,
  placementId: sql`c.placement_id`,
  offerId: sql`c.offer_id`,
  advertiserId: sql`c.advertiser_id`,
  country: sql`c.country`,
};

/** Tells which counters a report adds up. Days are UTC, `YYYY-MM-DD`, both included. */
export type ReportQuery = {
  from: string;
  to: string;
  groups: readonly Group[];
  breakdown: Breakdown;
} & { [Filter in keyof typeof FILTERS]?: string | undefined };

type Named = "site" | "placement" | "publisher" | "offer" | "advertiser";

/**
 * Holds what a row of a report is split by. A name is null when its subject is gone; an arm is named as counters name
 * it.
 */
type SplitBy = { [Member in `${Named}Id` | `${Named}Name` | "country" | "arm"]?: string | null } & {
  creative?: number;
  creativeId?: string | null;
  creativeName?: string | null;
};

/**
 * Holds a row of a report: the first day of its period, what it is split by, then what was counted. Money is in whole
 * micro-USD, rounded from exact sums.
 */
export type ReportRow = SplitBy & {
  period: string | null;
  requests: number;
  fills: number;
  impressions: number;
  viewable: number;
  clicks: number;
  closes: number;
  declines: number;
  endings: number;
  conversions: number;
  transactions: number;
  revenueMicros: number;
  grossMicros: number;
};

/**
 * Describes one way to split: the members of a row that it fills, with their expressions, and where names come from.
 */
type Split = { members: { [Member in keyof SplitBy]: string }; join?: string };

const SPLITS: Record<Group, Split> = {
  SITE: {
    members: { siteId: "c.site_id", siteName: "s.name" },
    join: "left join sites s on s.id = c.site_id",
  },
  PLACEMENT: {
    members: { placementId: "c.placement_id", placementName: "p.name" },
    // A placement that is about to be removed with its site has no name any more.
    join: `left join placements p on p.id = c.placement_id
      and exists (select from sites own where own.id = p.site_id)`,
  },
  COUNTRY: { members: { country: "c.country" } },
  PUBLISHER: {
    members: { publisherId: "c.publisher_id", publisherName: "b.name" },
    join: "left join publishers b on b.id = c.publisher_id",
  },
  OFFER: {
    members: { offerId: "c.offer_id", offerName: "o.name" },
    join: "left join offers o on o.id = c.offer_id",
  },
  ADVERTISER: {
    members: { advertiserId: "c.advertiser_id", advertiserName: "a.name" },
    join: "left join advertisers a on a.id = c.advertiser_id",
  },
  ARM: { members: { arm: "c.arm" } },
  CREATIVE: {
    members: { creative: "c.creative", creativeId: "k.id", creativeName: "k.name" },
    join: "left join offer_creatives k on k.offer_id = c.offer_id and k.number = c.creative",
  },
};

/**
 * Selects counters by creative: number 1 has what was counted of an offer, less what was counted of its other
 * creatives.
 */
const BY_CREATIVE = `(
  select day, placement_id, offer_id, advertiser_id, country, arm, site_id, publisher_id, 1 as creative, requests, fills,
    ${COUNTED.join(", ")}
  from daily_counters
  union all
  select k.day, k.placement_id, k.offer_id, k.advertiser_id, k.country, k.arm, k.site_id, k.publisher_id, told.creative, 0, 0,
    ${COUNTED.map((name) => `told.sign * k.${name}`).join(", ")}
  from creative_counters k cross join lateral (values (k.creative, 1), (1, -1)) as told (creative, sign)
  where k.creative > 1)`;

/** Tells whether a row has counts: nothing may be left for an offer's own creative. */
const SEEN = sql`sum(c.impressions + c.viewables + c.clicks + c.closes + c.conversions) > 0`;

const PERIODS: Record<Exclude<Breakdown, "NONE">, string> = {
  DAY: "c.day",
  WEEK: "date_trunc('week', c.day)::date",
  MONTH: "date_trunc('month', c.day)::date",
};

/** Returns the members of a row that one way to split fills, in the order in which they are shown. */
export const membersOf = (group: Group): (keyof SplitBy)[] => Object.keys(SPLITS[group].members) as (keyof SplitBy)[];

/** Tells whether a report is of offers. It then has no requests, because a request is not for an offer. */
export const isOfOffers = ({ groups, offerId, advertiserId }: Partial<ReportQuery>): boolean =>
  Boolean(groups?.includes("OFFER") || groups?.includes("ADVERTISER")) || (offerId ?? advertiserId) !== undefined;

/**
 * Says which counters an actor may read: those of its own placements, those of its publishers, deleted ones included,
 * or all. The publishers are a list rather than a joined table, so that an index finds their rows: otherwise, for a
 * page of a report in the order of placements, the planner would read through all counters.
 */
export const readableBy = (actor: Actor): SQL => {
  if (actor.kind === "publisher") return sql`c.publisher_id = ${actor.publisherId}`;
  if (actor.kind === "admin") return sql`true`;
  return sql`c.publisher_id = any (array(
    select own.id from publishers own where own.platform_id = ${actor.platformId}
    union all select former.id from former_publishers former where former.platform_id = ${actor.platformId}))`;
};

/** Adds up a column of daily counters `c`, as a number. */
export const total = (column: string): SQL => sql.raw(`coalesce(round(sum(c.${column})), 0)::double precision`);

/**
 * Adds up daily counters, in one query. Counters carry their owner, so that earnings stay in the report when a
 * placement or site is deleted. Without groups and breakdown there is one row, of everything.
 *
 * @param limit the most rows that are read; one more than is shown tells that there are too many
 */
export const readReport = async (db: Db, actor: Actor, query: ReportQuery, limit: number): Promise<ReportRow[]> => {
  const splits = query.groups.map((group) => SPLITS[group]);
  const members = splits.flatMap(({ members: of }) => Object.entries(of));
  const period = query.breakdown === "NONE" ? [] : [PERIODS[query.breakdown]];
  const select = [
    ...period.map((expression) => `${expression}::text as period, `),
    ...members.map(([member, expression]) => `${expression} as "${member}", `),
  ].join("");
  const split = sql.raw([...period, ...members.map(([, expression]) => expression)].join(", ") || "()");
  const filters = Object.entries(FILTERS).flatMap(([name, column]) => {
    const only = query[name as keyof typeof FILTERS];
    return only === undefined ? [] : [sql` and ${column} = ${only}`];
  });
  const result = await db.execute<ReportRow>(sql`
    select ${sql.raw(select)}
      ${total("requests")} as requests, ${total("fills")} as fills, ${total("impressions")} as impressions,
      ${total("viewables")} as viewable, ${total("clicks")} as clicks, ${total("closes")} as closes,
      ${total("declines")} as declines, ${total("endings")} as endings,
      ${total("conversions")} as conversions, ${total("transactions")} as transactions,
      ${total("revenue_micros")} as "revenueMicros", ${total("gross_micros")} as "grossMicros"
    from ${sql.raw(query.groups.includes("CREATIVE") ? BY_CREATIVE : "daily_counters")} c ${sql.raw(splits.map(({ join = "" }) => join).join("\n"))}
    where ${readableBy(actor)} and c.day between ${query.from}::date and ${query.to}::date
      ${sql.join(filters)} ${isOfOffers(query) ? sql`and c.offer_id <> ''` : sql``}
    group by ${split} ${query.groups.includes("CREATIVE") ? sql`having ${SEEN}` : sql``}
    ${period.length + members.length > 0 ? sql`order by ${split}` : sql``}
    limit ${limit}`);
  return result.rows;
};
