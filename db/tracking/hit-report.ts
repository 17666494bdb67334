import { sql } from "drizzle-orm";
import type { Manager } from "../accounts/actor.ts";
import type { Db } from "../core/client.ts";
import type { EventKind, EventOutcome } from "../schema/values.ts";

/** Tells which hits to add up. Days are UTC, `YYYY-MM-DD`, both included. */
export type HitsQuery = {
  from: string;
  to: string;
  offerId?: string | undefined;
  placementId?: string | undefined;
  /** Splits rows by country as well. */
  byCountry: boolean;
};

/** Maps the counts of a row to the outcomes that they count. */
const OUTCOMES = {
  unique: "counted",
  repeated: "repeated",
  overCap: "over_cap",
  reversed: "reversed",
  duplicate: "duplicate",
  bot: "bot",
  expired: "expired",
  test: "test",
} as const satisfies Record<string, EventOutcome>;

/**
 * Tells how often an offer's tracking URLs were called at a placement, what became of it, and what advertisers owe for
 * it in micro-USD. The country is null where rows are not split by it, and empty where it was not recorded.
 */
export type HitsRow = {
  offerId: string;
  placementId: string;
  country: string | null;
  kind: EventKind;
  hits: number;
  grossMicros: number;
} & Record<keyof typeof OUTCOMES, number>;

/** Holds a row of no hits, from which columns are named. */
export const NO_HITS: HitsRow = {
  offerId: "",
  placementId: "",
  country: null,
  kind: "impression",
  hits: 0,
  ...(Object.fromEntries(Object.keys(OUTCOMES).map((name) => [name, 0])) as Record<keyof typeof OUTCOMES, number>),
  grossMicros: 0,
};

const outcomes = sql.raw(
  Object.entries(OUTCOMES)
    .map(
      ([name, outcome]) =>
        `coalesce(sum(h.hits) filter (where h.outcome = '${outcome}'), 0)::double precision as "${name}"`,
    )
    .join(", "),
);

/**
 * Adds up raw and counted hits of a manager's offers by offer, placement, kind and, when asked for, country. A deleted
 * offer still has its revisions, which tell whose it was: its first hits may have come after its deletion.
 */
export const readHits = async (db: Db, manager: Manager, query: HitsQuery, limit: number): Promise<HitsRow[]> => {
  const managed =
    manager.kind === "admin"
      ? sql`true`
      : sql`h.offer_id in (
          select r.offer_id from offer_revisions r join advertisers a on a.id = r.advertiser_id
          where a.platform_id = ${manager.platformId})`;
  const country = query.byCountry ? sql`h.country` : sql`null::text`;
  const result = await db.execute<HitsRow>(sql`
    select h.offer_id as "offerId", h.placement_id as "placementId", ${country} as country, h.kind, sum(h.hits)::double precision as hits,
      ${outcomes},
      sum(h.gross_micros)::double precision as "grossMicros"
    from daily_hits h
    where ${managed} and h.day between ${query.from}::date and ${query.to}::date
      ${query.offerId === undefined ? sql`` : sql`and h.offer_id = ${query.offerId}`}
      ${query.placementId === undefined ? sql`` : sql`and h.placement_id = ${query.placementId}`}
    group by 1, 2, 3, 4
    order by 1, 2, 3, 4
    limit ${limit}`);
  return result.rows;
};
