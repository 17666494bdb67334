import { sql, type SQL } from "drizzle-orm";
import { PLACE_DIMENSIONS, REQUEST_DIMENSIONS } from "../../schema/targeting.ts";
import { LISTED_OFFERS } from "./room.ts";
import { gateOf, PLACE_FITS, placeQuery, REQUEST_FITS, type Asked } from "./rank-fits.ts";

/** Limits how many open offers are listed, and how many of each gate. */
export const ENOUGH = sql.raw(String(LISTED_OFFERS));

/** Says how many rows of a lane's side are looked at first, best first. */
const WALKED = sql.raw("250");

/** Says how many of them have to fit, so that the rest is not scanned. A narrower document lists all that it can. */
const ENOUGH_WALKED = { broad: sql.raw("60"), narrow: sql.raw("180") };

/**
 * Tells whether a publisher has an order of its own. It chooses from that many, even where fewer would do for an
 * answer.
 */
const hasOwnOrder = sql`(select rank_by = 'REVENUE' from place)`;

/** Limits how many fitting rows are taken from the rest. */
const BEYOND = sql.raw("300");

/**
 * Says how many advertisers fill a list with eight offers each; where fewer hold all places, others are searched for.
 */
const ENOUGH_ADVERTISERS = sql.raw("4");

/** Limits how many rows are looked at in search of others. */
const WALKED_FOR_OTHERS = sql.raw("2000");

/** Limits how many rows are looked at in search of offers that open next. */
const UPCOMING = sql.raw("200");

/** Limits how many offers are listed ahead of their opening, and says how long ahead: longer than a document serves. */
const SOON = { most: sql.raw("20"), within: sql.raw("interval '10 minutes'") };

const isOpen = sql`(r.opens_at is null or r.opens_at <= now())`;

/** Lists amounts first: thousands of rows are judged, and comparing numbers is cheaper than testing masks. */
const BY_COST = ["amount" as const, ...REQUEST_DIMENSIONS.filter((name) => name !== "amount")];

const fitsOf = (narrowing: Asked["narrowing"]): SQL =>
  sql.join(
    [
      ...(narrowing ? BY_COST.map((name) => REQUEST_FITS[name](narrowing)) : []),
      ...PLACE_DIMENSIONS.map((name) => PLACE_FITS[name]),
      sql`(r.ends_at is null or r.ends_at > now())`,
    ],
    sql` and `,
  );

/**
 * Makes the common table expressions that find offers for a place, each a row of `serial`, `advertiser`, `rank`,
 * `gate`, `is_paced`, `opens_at` and `ends_at`.
 *
 * `eligible` has those that may serve now, `soon` those that will within ten minutes. `reading` tells whether
 * `eligible` `is_partial`, and when the first of those in neither opens (`reopens_at`, or earlier).
 *
 * Rows are read through an index in the order of their rank, which is fast where many fit; where few of the best fit,
 * the rest is scanned, which is faster than fetching it row by row. Postgres does not know how many fit, so the
 * statement decides. Inside a `case`, the planner takes a condition to fit half of the rows, whatever the statistics
 * say.
 */
export const findRanks = (asked: Asked): SQL => {
  const { narrowing } = asked;
  const fits = fitsOf(narrowing);
  const columns = sql`r.serial, r.advertiser, r.rank, ${gateOf(narrowing)} as gate, r.is_paced, r.opens_at, r.ends_at`;
  return sql`
  place as materialized (${placeQuery(asked)}
  ), lanes as materialized (
    select lane, is_open
    from place, unnest(array['', platform, publisher, site]) lane, (values (true), (false)) side (is_open)
  ), walked as materialized (
    select l.lane, l.is_open, found.*
    from place, lanes l, lateral (
      select ${columns}, ${isOpen} and ${fits} as fits
      from offer_ranks r where r.lane = l.lane and r.is_open = l.is_open
      order by r.rank, r.serial limit ${WALKED}) found
  ), sides as materialized (
    select lane, is_open, max(rank) as rank, array_agg(distinct advertiser) filter (where fits) as advertisers,
      count(*) filter (where fits) < ${narrowing ? ENOUGH_WALKED.narrow : ENOUGH_WALKED.broad}
        and (count(*) filter (where fits and gate = 0) < ${ENOUGH} or ${hasOwnOrder}) as is_short
    from walked group by lane, is_open having count(*) = ${WALKED}
  ), beyond as materialized (
    select found.*
    from place, sides, lateral (
      select ${columns}
      from offer_ranks r where r.lane = sides.lane and r.is_open = sides.is_open and r.rank >= sides.rank
        and case when ${isOpen} and ${fits} and r.serial not in (select serial from walked) then true else false end
      order by r.rank + 0, r.serial limit ${BEYOND}) found
    where sides.is_short
  ), others as materialized (
    select found.*
    from place, sides, lateral (
      select fitting.*
      from (
        select o.rank, o.serial, o.advertiser from offer_ranks o
        where o.lane = sides.lane and o.is_open = sides.is_open and o.rank >= sides.rank
        order by o.rank, o.serial limit ${WALKED_FOR_OTHERS}) seen, lateral (
          select ${columns}
          from offer_ranks r where r.lane = sides.lane and r.serial = seen.serial and ${isOpen} and ${fits} limit 1) fitting
      where seen.advertiser <> all (sides.advertisers)
      order by seen.rank, seen.serial limit ${ENOUGH}) found
    where not sides.is_short and cardinality(sides.advertisers) < ${ENOUGH_ADVERTISERS}
  ), eligible as materialized (
    select serial, advertiser, rank, gate, is_paced, opens_at, ends_at from walked where fits
    union all select * from beyond union all select * from others
  ), upcoming as materialized (
    select l.lane, found.*
    from place, (select distinct lane from lanes) l, lateral (
      select ${columns}, ${fits} as fits
      from offer_ranks r where r.lane = l.lane and r.opens_at > now()
      order by r.opens_at limit ${UPCOMING}) found
  ), soon as materialized (
    select serial, advertiser, rank, opens_at, ends_at from upcoming
    where fits and opens_at <= now() + ${SOON.within} order by opens_at, rank, serial limit ${SOON.most}
  ), reading as materialized (
    select exists (select from sides where not is_short) or (select count(*) from beyond) >= ${BEYOND} as is_partial,
      least((select min(opens_at) from upcoming where fits and serial not in (select serial from soon)),
        (select min(last) from (
          select max(opens_at) as last from upcoming group by lane having count(*) = ${UPCOMING}) full_lanes)) as reopens_at
  )`;
};
