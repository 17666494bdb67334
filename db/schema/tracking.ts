import { sql } from "drizzle-orm";
import { bigint, check, date, index, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { checkOneOf, createdAt, descending, moment } from "./columns.ts";
import { EVENT_KINDS, EVENT_OUTCOMES } from "./values.ts";

/**
 * Every hit on a tracking URL, counted or not. No foreign keys: a late event of a deleted site is still an event.
 *
 * `issuedOn` is the UTC day of the decision and leads the key, so that old days can be purged or partitioned. Money is
 * micro-USD: `grossMicros` what the advertiser owes, `revenueMicros` the publisher's part of it.
 */
export const events = pgTable(
  "events",
  {
    issuedOn: date("issued_on", { mode: "string" }).notNull(),
    id: text("id").notNull(),
    kind: text("kind", { enum: EVENT_KINDS }).notNull(),
    outcome: text("outcome", { enum: EVENT_OUTCOMES }).notNull(),
    occurredAt: moment("occurred_at").notNull(),
    decisionId: text("decision_id").notNull(),
    placementId: text("placement_id").notNull(),
    offerId: text("offer_id").notNull(),
    advertiserId: text("advertiser_id").notNull(),
    country: text("country").notNull(),
    sessionHash: text("session_hash"),
    emailHash: text("email_hash"),
    transactionId: text("transaction_id"),
    amountMicros: bigint("amount_micros", { mode: "number" }),
    currency: text("currency"),
    grossMicros: bigint("gross_micros", { mode: "number" }).notNull(),
    revenueMicros: bigint("revenue_micros", { mode: "number" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.issuedOn, table.id] }),
    checkOneOf("events_kind_check", table.kind, EVENT_KINDS),
    checkOneOf("events_outcome_check", table.outcome, EVENT_OUTCOMES),
    check("events_money_check", sql`${table.grossMicros} >= ${table.revenueMicros} and ${table.revenueMicros} >= 0`),
    check("events_transaction_check", sql`(${table.kind} = 'conversion') = (${table.transactionId} is not null)`),
    uniqueIndex("events_counted_once_idx")
      .on(table.issuedOn, table.decisionId, table.offerId, table.kind)
      .where(sql`${table.outcome} = 'counted' and ${table.kind} <> 'conversion'`),
    uniqueIndex("events_transaction_once_idx")
      .on(table.advertiserId, table.transactionId)
      .where(sql`${table.outcome} = 'counted' and ${table.kind} = 'conversion'`),
    index("events_session_idx")
      .on(table.sessionHash)
      .where(sql`${table.sessionHash} is not null`),
    index("events_email_idx")
      .on(table.emailHash)
      .where(sql`${table.emailHash} is not null`),
    index("events_offer_idx").on(table.offerId),
  ],
);

const counter = (name: string) => bigint(name, { mode: "number" }).notNull().default(0);

/**
 * What was counted on a UTC day. Ad requests have no offer: their rows have an empty offer and advertiser.
 * Money is micro-USD.
 */
export const dailyCounters = pgTable(
  "daily_counters",
  {
    day: date("day", { mode: "string" }).notNull(),
    placementId: text("placement_id").notNull(),
    offerId: text("offer_id").notNull(),
    advertiserId: text("advertiser_id").notNull(),
    country: text("country").notNull(),
    requests: counter("requests"),
    fills: counter("fills"),
    impressions: counter("impressions"),
    viewables: counter("viewables"),
    clicks: counter("clicks"),
    closes: counter("closes"),
    conversions: counter("conversions"),
    /** Conversions that came with an amount: purchases. */
    transactions: counter("transactions"),
    grossMicros: counter("gross_micros"),
    revenueMicros: counter("revenue_micros"),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.placementId, table.offerId, table.advertiserId, table.country] }),
    index("daily_counters_placement_idx").on(table.placementId, table.day),
    index("daily_counters_offer_idx").on(table.offerId, table.day),
    index("daily_counters_advertiser_idx").on(table.advertiserId, table.day),
  ],
);

/** Hits of every outcome on a UTC day, so that what was not counted can be shown with its reason. */
export const dailyHits = pgTable(
  "daily_hits",
  {
    day: date("day", { mode: "string" }).notNull(),
    placementId: text("placement_id").notNull(),
    offerId: text("offer_id").notNull(),
    kind: text("kind", { enum: EVENT_KINDS }).notNull(),
    outcome: text("outcome", { enum: EVENT_OUTCOMES }).notNull(),
    hits: bigint("hits", { mode: "number" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.placementId, table.offerId, table.kind, table.outcome] }),
    checkOneOf("daily_hits_kind_check", table.kind, EVENT_KINDS),
    checkOneOf("daily_hits_outcome_check", table.outcome, EVENT_OUTCOMES),
    index("daily_hits_offer_idx").on(table.offerId, table.day),
    index("daily_hits_placement_idx").on(table.placementId, table.day),
  ],
);

/** Flushes of an isolate's ad request counts that are already in the counters. */
export const requestFlushes = pgTable(
  "request_flushes",
  { id: text("id").primaryKey(), receivedAt: moment("received_at").notNull().defaultNow() },
  (table) => [index("request_flushes_received_idx").on(table.receivedAt)],
);

/** Messages that could not be understood, whole, with the reason. */
export const trackingRejects = pgTable(
  "tracking_rejects",
  {
    id: text("id").primaryKey(),
    reason: text("reason").notNull(),
    body: text("body").notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("tracking_rejects_created_idx").on(descending(table.createdAt))],
);
