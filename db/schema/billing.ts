import { constraints } from "#constraints";
import { bigint, date, doublePrecision, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt, moment } from "./columns.ts";
import { PRICINGS } from "./values.ts";

// SQL alone reads these tables, so they stand apart from `offers`: the Worker's bundle has none of them.

/**
 * Holds how often a capped offer was billed on a UTC day, by the day of the event. `recent` is the same count, but
 * fades with time since `recentAt`. db/demand/caps/caps.ts maintains the rows.
 */
export const offerUsage = pgTable(
  "offer_usage",
  {
    offerId: text("offer_id").notNull(),
    day: date("day", { mode: "string" }).notNull(),
    used: bigint("used", { mode: "number" }).notNull(),
    recent: doublePrecision("recent").notNull().default(0),
    recentAt: moment("recent_at").notNull().defaultNow(),
  },
  constraints((table) => [primaryKey({ columns: [table.offerId, table.day] })]),
);

/**
 * Holds price and destination of each revision of an offer. An event is billed, and a click led on, by the revision
 * that its decision showed, whatever became of the offer since. Triggers of the table `offers` number and add the
 * revisions. There is no foreign key: an offer that was shown and then deleted is still billed.
 */
export const offerRevisions = pgTable(
  "offer_revisions",
  {
    offerId: text("offer_id").notNull(),
    revision: integer("revision").notNull(),
    advertiserId: text("advertiser_id").notNull(),
    pricing: text("pricing", { enum: PRICINGS }).notNull(),
    bidMicros: bigint("bid_micros", { mode: "number" }).notNull(),
    publisherShareBps: integer("publisher_share_bps").notNull(),
    destinationUrl: text("destination_url").notNull(),
    /** Maps the numbers of further creatives to their destinations; null where there were none. */
    creativeDestinations: jsonb("creative_destinations").$type<Record<string, string>>(),
    createdAt: createdAt(),
  },
  constraints((table) => [primaryKey({ columns: [table.offerId, table.revision] })]),
);
