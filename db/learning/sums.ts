import { sql, type SQL } from "drizzle-orm";

/** Holds the evidence on two rates: clicks of exposures, and conversions of clicks, each weighted by its day. */
export type RateSums = { clicks: number; exposure: number; conversions: number; clicked: number };

/**
 * Holds sums of an offer in a placement and country; `anywhere` is its exposure as it counts over all places:
 * multiplied by the factor of the two.
 */
export type CellSums = RateSums & { anywhere: number };

/**
 * Holds sums of an offer over all places; `counted` has the clicks of `clicked` as they were counted, without factors
 * of places.
 */
export type OfferSums = RateSums & { counted: number };

/**
 * Tells of an offer's clicks on a day, numbered from 1970. `clicks` counts those that teach how often clicks convert.
 * `taught` counts those that teach how often the offer is clicked, in placements and countries where enough was known of
 * it to say how many were `expected`.
 */
export type OfferDay = { offerId: string; day: number; clicks: number; taught: number; expected: number };

/** Holds clicks that are compared with what was expected. */
export type Compared = Pick<OfferDay, "taught" | "expected">;

/** Holds an offer's clicks of a day, and those of `all` offers. */
export type JudgedDay = Compared & { all: Compared };

/**
 * Sets how many clicks an offer's rate over all places is worth as a prior of its rate in a placement, or in a country,
 * where rates differ by a fifth.
 */
export const LINE_EVENTS = 25;

/**
 * Sets how many events the usual factor of a placement and country is worth as a prior. It is what each of the two does
 * to all offers.
 */
export const PLACE_EVENTS = 20;

/** Says after how many impressions an offer is no newcomer any more. */
export const NEW_EXPOSURE = 1_000;

/**
 * Bounds the factor of a placement and country: past it, clicks are likely to come from a shop that reports no
 * impressions.
 */
export const MOST_PLACE = 20;

/** Bounds the factor of an offer in a placement, or in a country, and its reciprocal: few rates differ as much. */
export const MOST_LIFT = 4;

/** Says how days weigh: the day `origin`, counted from 1970, weighs 1, and twice as much after `halfLife` days. */
export type Fading = { halfLife: number; origin: number };

/** Selects the weight of what happens today, by a row `n` of `rate_network`. */
export const weightToday: SQL = sql.raw(
  "power(2::float8, ((now() at time zone 'UTC')::date - date '1970-01-01' - n.origin) / n.half_life)",
);

/** Lists the columns of {@link RateSums} in the tables of rates. */
export const SUM_COLUMNS = ["clicks", "exposure", "conversions", "clicked"] as const;

/** Selects the sums of a row of a table of rates as pairs of names and values, for an object. */
export const sumPairs = (row: string): SQL =>
  sql.raw(SUM_COLUMNS.map((column) => `'${column}', ${row}.${column}`).join(", "));

/** Names columns of sums in a list. */
export const namesOf = (columns: readonly string[]): SQL => sql.raw(columns.join(", "));

/** Declares columns of sums for rows that are sent as JSON. */
export const typesOf = (columns: readonly string[]): SQL => sql.raw(columns.map((name) => `${name} float8`).join(", "));

/** Adds the sums of another row to those of a row `r`. */
export const adding = (row: string, columns: readonly string[] = SUM_COLUMNS): SQL =>
  sql.raw(columns.map((name) => `${name} = r.${name} + ${row}.${name}`).join(", "));

/** Adds what is inserted to the sums of a row `r`, or replaces them by it where it is of another `version`. */
export const replacing = (columns: readonly string[], version: string): SQL =>
  sql.raw(
    columns
      .map(
        (name) => `${name} = case when r.${version} = excluded.${version} then r.${name} else 0 end + excluded.${name}`,
      )
      .join(", "),
  );
