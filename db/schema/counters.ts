import { constraints } from "#constraints";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  date,
  doublePrecision,
  index,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
} from "drizzle-orm/pg-core";
import { checkOneOf, moment } from "./columns.ts";
import { EVENT_KINDS, EVENT_OUTCOMES } from "./values.ts";

const counter = (name: string) => bigint(name, { mode: "number" }).notNull().default(0);

/** Declares a sum that must be exact, with that many decimals. */
const exact = (name: string, scale: number) =>
  numeric(name, { precision: 40, scale, mode: "number" })
    .notNull()
    .default(sql`0`);

/** Declares how many hits counted, of each kind. */
const counts = () => ({
  impressions: counter("impressions"),
  viewables: counter("viewables"),
  clicks: counter("clicks"),
  /** Counts all closes; the next two count those whose page said how they came about. */
  closes: counter("closes"),
  declines: counter("declines"),
  endings: counter("endings"),
  conversions: counter("conversions"),
  /** Counts conversions that came with an amount: purchases. */
  transactions: counter("transactions"),
});

/** Declares which of the hits that counted have something to teach, and which were learned from. */
const lessons = () => ({
  /** Counts impressions that do not teach how often offers are clicked (db/tracking/recording/teaching.ts). */
  untaughtImpressions: counter("untaught_impressions"),
  untaughtClicks: counter("untaught_clicks"),
  /**
   * Counts clicks that do not teach how often clicks convert. The next counts such conversions: it falls below zero when
   * conversions are taken back that taught before the texts changed.
   */
  inertClicks: counter("inert_clicks"),
  inertConversions: counter("inert_conversions"),
  /**
   * Counts the impressions that were learned from (db/learning/); the next four count other hits, and `is_learned`
   * says whether that is all.
   */
  learnedImpressions: counter("learned_impressions"),
  learnedClicks: counter("learned_clicks"),
  learnedConversions: counter("learned_conversions"),
  learnedUntaughtClicks: counter("learned_untaught_clicks"),
  learnedInertClicks: counter("learned_inert_clicks"),
  isLearned: boolean("is_learned").notNull().default(false),
});

/**
 * Holds what was counted on a UTC day, by the offer's place in its answers, 0 for the first. Ad requests have no offer:
 * their rows have an empty offer and advertiser. Rows carry their owner, empty where it is not known, and so outlive
 * their placement, site and publisher.
 *
 * `billed` counts what was paid for. Money is in micro-USD, the publisher's part to the ten-thousandth, so that a day's
 * sum is exact.
 */
export const dailyCounters = pgTable(
  "daily_counters",
  {
    day: date("day", { mode: "string" }).notNull(),
    placementId: text("placement_id").notNull(),
    offerId: text("offer_id").notNull(),
    advertiserId: text("advertiser_id").notNull(),
    country: text("country").notNull(),
    arm: text("arm").notNull().default("0"),
    place: smallint("place").notNull().default(0),
    siteId: text("site_id").notNull().default(""),
    publisherId: text("publisher_id").notNull().default(""),
    requests: counter("requests"),
    fills: counter("fills"),
    ...counts(),
    billed: counter("billed"),
    grossMicros: counter("gross_micros"),
    revenueMicros: exact("revenue_micros", 4),
    /** Stays unused, like the next column: an older version of the Worker that may still run writes both. */
    grossSquares: exact("gross_squares", 0),
    revenueSquares: exact("revenue_squares", 8),
    ...lessons(),
  },
  constraints((table) => [
    primaryKey({
      name: "daily_counters_key",
      columns: [table.day, table.placementId, table.offerId, table.advertiserId, table.country, table.arm, table.place],
    }),
    index("daily_counters_unlearned_idx")
      .on(table.day)
      .where(sql`not ${table.isLearned} and ${table.offerId} <> ''`),
    index("daily_counters_publisher_idx").on(table.publisherId, table.day),
    index("daily_counters_placement_idx").on(table.placementId, table.day),
    index("daily_counters_offer_idx").on(table.offerId, table.day),
    index("daily_counters_advertiser_idx").on(table.advertiserId, table.day),
  ]),
);

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
    ...counts(),
    grossMicros: counter("gross_micros"),
    revenueMicros: exact("revenue_micros", 4),
    ...lessons(),
  },
  constraints((table) => [
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
  ]),
);

/**
 * Holds requests and what was billed on a UTC day in an arm, by part of its sessions: each session falls into one of 64
 * parts by a hash, with all that it asks for and earns at any time. So the differences between parts tell how much of a
 * difference between arms is chance, without keeping sessions.
 */
export const dailyParts = pgTable(
  "daily_parts",
  {
    publisherId: text("publisher_id").notNull(),
    day: date("day", { mode: "string" }).notNull(),
    arm: text("arm").notNull(),
    part: smallint("part").notNull(),
    requests: counter("requests"),
    grossMicros: counter("gross_micros"),
    revenueMicros: exact("revenue_micros", 4),
  },
  constraints((table) => [
    primaryKey({ name: "daily_parts_key", columns: [table.publisherId, table.day, table.arm, table.part] }),
    index("daily_parts_day_idx").on(table.day),
  ]),
);

/**
 * Holds hits of every outcome on a UTC day, so that hits that were not counted can be shown with their reasons, and
 * what is owed for the others. The country is empty in rows from before it was recorded.
 */
export const dailyHits = pgTable(
  "daily_hits",
  {
    day: date("day", { mode: "string" }).notNull(),
    placementId: text("placement_id").notNull(),
    offerId: text("offer_id").notNull(),
    kind: text("kind", { enum: EVENT_KINDS }).notNull(),
    outcome: text("outcome", { enum: EVENT_OUTCOMES }).notNull(),
    country: text("country").notNull().default(""),
    hits: bigint("hits", { mode: "number" }).notNull(),
    grossMicros: counter("gross_micros"),
  },
  constraints((table) => [
    primaryKey({
      name: "daily_hits_key",
      columns: [table.day, table.placementId, table.offerId, table.kind, table.outcome, table.country],
    }),
    checkOneOf("daily_hits_kind_check", table.kind, EVENT_KINDS),
    checkOneOf("daily_hits_outcome_check", table.outcome, EVENT_OUTCOMES),
    index("daily_hits_offer_idx").on(table.offerId, table.day),
    index("daily_hits_placement_idx").on(table.placementId, table.day),
  ]),
);

/** Names the flushes of an isolate's ad request counts that are already in the counters. */
export const requestFlushes = pgTable(
  "request_flushes",
  { id: text("id").primaryKey(), receivedAt: moment("received_at").notNull().defaultNow() },
  constraints((table) => [index("request_flushes_received_idx").on(table.receivedAt)]),
);

/** Holds ad requests of a UTC hour by their results: `reason` says why an answer was empty, and is empty otherwise. */
export const hourlyRequests = pgTable(
  "hourly_requests",
  {
    hour: moment("hour").notNull(),
    placementId: text("placement_id").notNull(),
    country: text("country").notNull(),
    reason: text("reason").notNull(),
    arm: text("arm").notNull(),
    requests: counter("requests"),
  },
  constraints((table) => [
    primaryKey({ columns: [table.hour, table.placementId, table.country, table.reason, table.arm] }),
  ]),
);

/**
 * Holds the facts of one in a thousand ad requests, chosen at random. None of them is personal: no session, no hash, the
 * hour instead of the time, and the amount to two digits.
 */
export const requestFacts = pgTable(
  "request_facts",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    hour: moment("hour").notNull(),
    placementId: text("placement_id").notNull(),
    country: text("country").notNull(),
    language: text("language"),
    currency: text("currency"),
    amount: doublePrecision("amount"),
    paymentType: text("payment_type"),
    count: smallint("count").notNull(),
  },
  constraints((table) => [index("request_facts_hour_idx").on(table.hour)]),
);
