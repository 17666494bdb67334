import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
} from "drizzle-orm/pg-core";
import { checkOneOf, createdAt, today, updatedAt } from "./columns.ts";
import { offers } from "./demand.ts";
import { OFFER_STATUSES } from "./values.ts";

/** Limits how many creatives an offer may ever have, archived ones included: numbers are never reused. */
export const MOST_CREATIVES = 100;

/**
 * Holds what an offer shows besides its own texts, which are its creative number 1. Triggers number the others from 2,
 * count in `version` the changes of what customers see of each and where it leads, and keep an offer from having more
 * than three that are not archived.
 */
export const offerCreatives = pgTable(
  "offer_creatives",
  {
    id: text("id").primaryKey(),
    offerId: text("offer_id")
      .notNull()
      .references(() => offers.id, { onDelete: "cascade" }),
    number: smallint("number").notNull().default(0),
    version: integer("version").notNull().default(1),
    name: text("name").notNull(),
    title: text("title").notNull(),
    header: text("header").notNull(),
    description: text("description").notNull(),
    ctaText: text("cta_text").notNull(),
    declineButtonText: text("decline_button_text").notNull(),
    termsUrl: text("terms_url"),
    iconUrl: text("icon_url"),
    iconWidth: integer("icon_width"),
    iconHeight: integer("icon_height"),
    destinationUrl: text("destination_url").notNull(),
    weight: smallint("weight").notNull().default(100),
    status: text("status", { enum: OFFER_STATUSES }).notNull().default("active"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    unique("offer_creatives_number_key").on(table.offerId, table.number),
    checkOneOf("offer_creatives_status_check", table.status, OFFER_STATUSES),
    check("offer_creatives_number_check", sql`${table.number} between 2 and ${sql.raw(String(MOST_CREATIVES))}`),
    check("offer_creatives_weight_check", sql`${table.weight} between 0 and 100`),
    check(
      "offer_creatives_icon_check",
      sql`num_nulls(${table.iconUrl}, ${table.iconWidth}, ${table.iconHeight}) in (0, 3)`,
    ),
  ],
);

const counter = (name: string) => bigint(name, { mode: "number" }).notNull().default(0);

/**
 * Holds the part of the daily counters that comes from offers with several creatives when shown, by the creative's
 * number. Counts of an offer that are not in these rows belong to its own creative, number 1, which was then its only
 * one. Money is as in `daily_counters`.
 */
export const creativeCounters = pgTable(
  "creative_counters",
  {
    day: date("day", { mode: "string" }).notNull(),
    placementId: text("placement_id").notNull(),
    offerId: text("offer_id").notNull(),
    advertiserId: text("advertiser_id").notNull(),
    country: text("country").notNull(),
    arm: text("arm").notNull(),
    place: smallint("place").notNull(),
    creative: smallint("creative").notNull(),
    siteId: text("site_id").notNull().default(""),
    publisherId: text("publisher_id").notNull().default(""),
    impressions: counter("impressions"),
    viewables: counter("viewables"),
    clicks: counter("clicks"),
    closes: counter("closes"),
    declines: counter("declines"),
    endings: counter("endings"),
    conversions: counter("conversions"),
    transactions: counter("transactions"),
    grossMicros: counter("gross_micros"),
    revenueMicros: numeric("revenue_micros", { precision: 40, scale: 4, mode: "number" })
      .notNull()
      .default(sql`0`),
    untaughtImpressions: counter("untaught_impressions"),
    untaughtClicks: counter("untaught_clicks"),
    learnedImpressions: counter("learned_impressions"),
    learnedClicks: counter("learned_clicks"),
    learnedConversions: counter("learned_conversions"),
    learnedUntaughtClicks: counter("learned_untaught_clicks"),
    isLearned: boolean("is_learned").notNull().default(false),
  },
  (table) => [
    primaryKey({
      name: "creative_counters_key",
      columns: [
        table.day,
        table.placementId,
        table.offerId,
        table.advertiserId,
        table.country,
        table.arm,
        table.place,
        table.creative,
      ],
    }),
    index("creative_counters_unlearned_idx")
      .on(table.day)
      .where(sql`not ${table.isLearned}`),
    index("creative_counters_offer_idx").on(table.offerId, table.day),
    index("creative_counters_publisher_idx").on(table.publisherId, table.day),
    index("creative_counters_advertiser_idx").on(table.advertiserId, table.day),
  ],
);

const sum = (name: string) => doublePrecision(name).notNull().default(0);

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
    clicks: sum("clicks"),
    exposure: sum("exposure"),
    conversions: sum("conversions"),
    clicked: sum("clicked"),
    share: doublePrecision("share"),
    foldedOn: date("folded_on", { mode: "string" }).notNull().default(today),
  },
  (table) => [
    primaryKey({ columns: [table.offerId, table.number] }),
    index("rate_creatives_age_idx").on(table.foldedOn),
  ],
);
