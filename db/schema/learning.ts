import { constraints } from "#constraints";
import {
  bigint,
  date,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
} from "drizzle-orm/pg-core";
import { moment, today } from "./columns.ts";
import { offers } from "./demand.ts";

const sum = (name: string) => doublePrecision(name).notNull().default(0);

/**
 * Declares what beliefs are made from: clicks and the impressions that led to them, conversions and the clicks that led
 * to them. Each is a sum of counters weighted by their day (`rate_network` says how days weigh), so it is not a whole
 * number.
 */
const sums = () => ({
  clicks: sum("clicks"),
  exposure: sum("exposure"),
  conversions: sum("conversions"),
  clicked: sum("clicked"),
});

/**
 * Holds what happened to an offer, named by its serial, in a placement and country. A row with an empty country is
 * about the whole placement, and one with an empty placement about the whole country; the exposures of both count as
 * they do over all places.
 */
export const rateCells = pgTable(
  "rate_cells",
  {
    placementId: text("placement_id").notNull(),
    country: text("country").notNull(),
    serial: integer("serial").notNull(),
    /** Tells which of the offer's creatives this is about; what was seen of earlier ones no longer counts here. */
    creative: integer("creative").notNull(),
    ...sums(),
    /** Holds the exposure as it counts for the offer over all places, so that it can be subtracted from such sums. */
    anywhere: sum("anywhere"),
    /** Tells by which factor the offer may do better here than over all places, for the order of candidates. */
    lift: doublePrecision("lift").notNull().default(1),
    foldedOn: date("folded_on", { mode: "string" }).notNull().default(today),
  },
  constraints((table) => [
    primaryKey({ columns: [table.placementId, table.country, table.serial] }),
    index("rate_cells_age_idx").on(table.foldedOn),
    index("rate_cells_serial_idx").on(table.serial),
  ]),
);

/**
 * Holds what happened to an offer over all places. Exposures are multiplied by the factors of their placements and
 * countries, so that an offer does not seem better for having been shown in better places.
 */
export const rateOffers = pgTable(
  "rate_offers",
  {
    offerId: text("offer_id").primaryKey(),
    ...sums(),
    /**
     * Holds the clicks of `clicked` as they were counted, without factors of places, to compare with those of
     * `rate_clicks`.
     */
    counted: sum("counted"),
    /** Holds the click rate of its advertiser's other offers, and then their conversion rate: what to expect of it. */
    advertiserClickRate: doublePrecision("advertiser_click_rate").notNull(),
    advertiserConversionRate: doublePrecision("advertiser_conversion_rate").notNull(),
    /** Tells which part of the conversions of its clicks has come by now. */
    maturity: doublePrecision("maturity").notNull().default(1),
    /** Holds an upper bound of how often an impression of it is paid for. */
    boundRate: doublePrecision("bound_rate"),
    foldedOn: date("folded_on", { mode: "string" }).notNull().default(today),
    /** Tells on which day it was last judged whether its rate has shifted. */
    judgedOn: date("judged_on", { mode: "string" }).notNull().default(today),
    /** Tells on which day its rate was last found to have shifted; null as long as it has not. */
    shiftedOn: date("shifted_on", { mode: "string" }),
    /** Holds how many times as often as expected it was clicked then. */
    shiftRatio: doublePrecision("shift_ratio"),
    /** Tells which of its creatives that was found of: it says nothing of a later one. */
    shiftedCreative: integer("shifted_creative"),
  },
  constraints((table) => [index("rate_offers_age_idx").on(table.foldedOn)]),
);

/**
 * Counts the clicks of an offer on a day that teach how often clicks convert. They tell how old clicks are without reading
 * the counters, of which there may be millions. `taught` and `expected` tell whether the offer's rate has shifted. The
 * row begins anew when something is learned of other texts.
 */
export const rateClicks = pgTable(
  "rate_clicks",
  {
    offerId: text("offer_id").notNull(),
    day: date("day", { mode: "string" }).notNull(),
    clicks: bigint("clicks", { mode: "number" }).notNull(),
    taught: sum("taught"),
    expected: sum("expected"),
    /** Tells which of the offer's creatives the row is about. */
    creative: integer("creative").notNull().default(0),
  },
  constraints((table) => [
    primaryKey({ columns: [table.offerId, table.day] }),
    index("rate_clicks_age_idx").on(table.day),
  ]),
);

/**
 * Holds what happened to a creative of an offer over all places, with sums as those of `rate_offers`. `version` is that
 * of the creative: what was seen of an earlier one no longer counts. `share` is the part of the sessions that it should
 * be shown to where the offer's split is learned.
 */
export const rateCreatives = pgTable(
  "rate_creatives",
  {
    offerId: text("offer_id").notNull(),
    number: smallint("number").notNull(),
    version: integer("version").notNull(),
    ...sums(),
    share: doublePrecision("share"),
    foldedOn: date("folded_on", { mode: "string" }).notNull().default(today),
  },
  constraints((table) => [
    primaryKey({ columns: [table.offerId, table.number] }),
    index("rate_creatives_age_idx").on(table.foldedOn),
  ]),
);

/**
 * Holds for each changed creative the lowest id that a decision after its last change can have, as `begins`. Triggers
 * write it.
 */
export const changedCreatives = pgTable(
  "changed_creatives",
  {
    offerId: text("offer_id")
      .notNull()
      .references(() => offers.id, { onDelete: "cascade" }),
    number: smallint("number").notNull(),
    begins: text("begins").notNull(),
  },
  constraints((table) => [primaryKey({ columns: [table.offerId, table.number] })]),
);

/** Holds what happened to the offers of an advertiser, and the rates to expect of another one. */
export const rateAdvertisers = pgTable("rate_advertisers", {
  advertiserId: text("advertiser_id").primaryKey(),
  ...sums(),
  clickRate: doublePrecision("click_rate").notNull(),
  conversionRate: doublePrecision("conversion_rate").notNull(),
});

/**
 * Holds what happened in a placement and country; its exposures are what was expected of the offers there. A row with
 * an empty country is about the placement, where each exposure counts by its country's factor; one with an empty
 * placement is about the country, where each counts by its placement's; and one with both empty is about all.
 */
export const ratePlaces = pgTable(
  "rate_places",
  {
    placementId: text("placement_id").notNull(),
    country: text("country").notNull(),
    ...sums(),
    foldedOn: date("folded_on", { mode: "string" }).notNull().default(today),
  },
  constraints((table) => [
    primaryKey({ columns: [table.placementId, table.country] }),
    index("rate_places_age_idx").on(table.foldedOn),
  ]),
);

/**
 * Holds clicks by place in an answer, from sessions that were served at random. Its exposures are the clicks expected
 * of the offers that stood there.
 */
export const rateSlots = pgTable("rate_slots", {
  place: smallint("place").primaryKey(),
  clicks: sum("clicks"),
  exposure: sum("exposure"),
});

/**
 * Holds what happened in the whole network, in its only row, and what follows for all: rates, strengths, and how days
 * weigh. A day weighs twice as much as one `halfLife` days before it, and the day `origin` (since 1970) weighs 1.
 */
export const rateNetwork = pgTable("rate_network", {
  id: integer("id").primaryKey(),
  ...sums(),
  clickRate: doublePrecision("click_rate").notNull(),
  conversionRate: doublePrecision("conversion_rate").notNull(),
  clickStrengths: doublePrecision("click_strengths").array().notNull(),
  conversionStrengths: doublePrecision("conversion_strengths").array().notNull(),
  /** Tells which part of all clicks' conversions has come by now. */
  maturity: doublePrecision("maturity").notNull().default(1),
  /** Holds the share of conversions that come within 0, 1, 2 … days of their click. */
  delays: doublePrecision("delays").array().notNull(),
  halfLife: doublePrecision("half_life").notNull(),
  origin: doublePrecision("origin").notNull(),
  /** Tells when strengths and delays were last estimated. */
  estimatedAt: moment("estimated_at").notNull().defaultNow(),
});
