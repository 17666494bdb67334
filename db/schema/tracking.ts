import { constraints } from "#constraints";
import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  date,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { checkOneOf, createdAt, descending, isOneOf, moment } from "./columns.ts";
import {
  CLOSINGS,
  EVENT_KINDS,
  EVENT_OUTCOMES,
  SETTLING_CONVERSIONS,
  SETTLING_OUTCOMES,
  UNCOUNTED_REASONS,
} from "./values.ts";

/**
 * Holds hits on tracking URLs, counted or not. No foreign keys: a late event of a deleted site is still an event.
 *
 * `issuedOn` is the UTC day of the decision and leads the key, so that old days can be purged or partitioned. `closing`
 * says how a close came about, and is null where the page did not say. `revision`, `place` and `arm` are those of the
 * decision; `part` is that of its session (`daily_parts`), null in rows from before it was recorded. Money is
 * micro-USD: `grossMicros` is what the advertiser owes, `revenueMicros` the publisher's part of it, exact to the
 * ten-thousandth.
 */
export const events = pgTable(
  "events",
  {
    issuedOn: date("issued_on", { mode: "string" }).notNull(),
    id: text("id").notNull(),
    kind: text("kind", { enum: EVENT_KINDS }).notNull(),
    outcome: text("outcome", { enum: EVENT_OUTCOMES }).notNull(),
    closing: text("closing", { enum: CLOSINGS }),
    occurredAt: moment("occurred_at").notNull(),
    decisionId: text("decision_id").notNull(),
    placementId: text("placement_id").notNull(),
    offerId: text("offer_id").notNull(),
    revision: integer("revision").notNull().default(1),
    place: smallint("place").notNull().default(0),
    arm: text("arm").notNull().default("0"),
    part: smallint("part"),
    /** Names the creative that was shown, from 1; 0 where the offer had only one. */
    creative: smallint("creative").notNull().default(0),
    advertiserId: text("advertiser_id").notNull(),
    country: text("country").notNull(),
    sessionHash: text("session_hash"),
    emailHash: text("email_hash"),
    transactionId: text("transaction_id"),
    amountMicros: bigint("amount_micros", { mode: "number" }),
    currency: text("currency"),
    grossMicros: bigint("gross_micros", { mode: "number" }).notNull(),
    revenueMicros: numeric("revenue_micros", { precision: 24, scale: 4, mode: "number" }).notNull(),
  },
  constraints((table) => [
    primaryKey({ columns: [table.issuedOn, table.id] }),
    checkOneOf("events_kind_check", table.kind, EVENT_KINDS),
    checkOneOf("events_outcome_check", table.outcome, EVENT_OUTCOMES),
    checkOneOf("events_closing_check", table.closing, CLOSINGS),
    check("events_money_check", sql`${table.grossMicros} >= ${table.revenueMicros} and ${table.revenueMicros} >= 0`),
    check("events_transaction_check", sql`(${table.kind} = 'conversion') = (${table.transactionId} is not null)`),
    uniqueIndex("events_settled_once_idx")
      .on(table.issuedOn, table.decisionId, table.offerId, table.kind)
      .where(sql`${isOneOf(table.outcome, SETTLING_OUTCOMES)} and ${table.kind} <> 'conversion'`),
    index("events_uncounted_idx")
      .on(table.issuedOn, table.decisionId, table.offerId, table.kind)
      .where(isOneOf(table.outcome, UNCOUNTED_REASONS)),
    uniqueIndex("events_transaction_once_idx")
      .on(table.advertiserId, table.transactionId)
      .where(sql`${isOneOf(table.outcome, SETTLING_CONVERSIONS)} and ${table.kind} = 'conversion'`),
    index("events_conversions_idx")
      .on(table.advertiserId, descending(table.occurredAt), table.id)
      .where(sql`${table.kind} = 'conversion'`),
    index("events_session_idx")
      .on(table.sessionHash)
      .where(sql`${table.sessionHash} is not null`),
    index("events_email_idx")
      .on(table.emailHash)
      .where(sql`${table.emailHash} is not null`),
    index("events_offer_idx").on(table.offerId),
    // Ends with the time of the hit, by which rows are removed: most of the oldest day's are kept for some more hours.
    index("events_removal_idx").on(table.kind, table.issuedOn, table.occurredAt),
    index("events_linked_idx")
      .on(table.placementId)
      .where(sql`${table.sessionHash} is not null or ${table.emailHash} is not null`),
  ]),
);

/**
 * Names the repeated hits, which are counted but stored nowhere else, so that a redelivery does not count them again.
 */
export const countedRepeats = pgTable(
  "counted_repeats",
  { id: text("id").primaryKey(), receivedAt: moment("received_at").notNull().defaultNow() },
  constraints((table) => [index("counted_repeats_received_idx").on(table.receivedAt)]),
);

/**
 * Holds the times of the first and the last paid hit of a kind on an offer by a customer, so that none within 24 hours
 * of them is paid for again. `subject` is a hash of the publisher and the session's hash or, where there is no session,
 * one of the address range, the offer and the day; of the two, only the first is also kept elsewhere, in {@link
 * recentLessons}. Rows are removed after two days.
 */
export const recentBillings = pgTable(
  "recent_billings",
  {
    offerId: text("offer_id").notNull(),
    kind: text("kind", { enum: EVENT_KINDS }).notNull(),
    subject: text("subject").notNull(),
    firstAt: moment("first_at").notNull(),
    lastAt: moment("last_at").notNull(),
  },
  constraints((table) => [
    primaryKey({ columns: [table.offerId, table.kind, table.subject] }),
    index("recent_billings_last_idx").on(table.lastAt),
  ]),
);

/**
 * Names the look of a customer at an offer of a placement that last taught the order, by its decision, so that no other
 * look does within 24 hours. `customer` is a hash of the publisher and the session's hash. Rows are removed after two
 * days.
 */
export const recentLessons = pgTable(
  "recent_lessons",
  {
    placementId: text("placement_id").notNull(),
    offerId: text("offer_id").notNull(),
    customer: text("customer").notNull(),
    decisionId: text("decision_id").notNull(),
    taughtAt: moment("taught_at").notNull(),
  },
  constraints((table) => [
    primaryKey({ columns: [table.placementId, table.offerId, table.customer] }),
    index("recent_lessons_age_idx").on(table.taughtAt),
  ]),
);

/**
 * Holds conversions that came before their click, which may still be on its way. `eventId` is the id that the
 * conversion will be stored under; then its row is removed. A conversion whose click never comes stays.
 */
export const pendingConversions = pgTable(
  "pending_conversions",
  {
    advertiserId: text("advertiser_id").notNull(),
    transactionId: text("transaction_id").notNull(),
    eventId: text("event_id").notNull(),
    decisionId: text("decision_id").notNull(),
    offerId: text("offer_id").notNull(),
    amountMicros: bigint("amount_micros", { mode: "number" }),
    currency: text("currency"),
    reportedAt: moment("reported_at").notNull(),
  },
  constraints((table) => [
    primaryKey({ columns: [table.advertiserId, table.transactionId] }),
    index("pending_conversions_click_idx").on(table.decisionId, table.offerId),
    index("pending_conversions_reported_idx").on(table.advertiserId, descending(table.reportedAt)),
    index("pending_conversions_age_idx").on(table.reportedAt),
  ]),
);

/**
 * Names the transactions that their advertiser took back, so that none of them counts, even if its click comes later.
 */
export const conversionReversals = pgTable(
  "conversion_reversals",
  {
    advertiserId: text("advertiser_id").notNull(),
    transactionId: text("transaction_id").notNull(),
    reason: text("reason"),
    reversedAt: moment("reversed_at").notNull().defaultNow(),
  },
  constraints((table) => [
    primaryKey({ columns: [table.advertiserId, table.transactionId] }),
    index("conversion_reversals_age_idx").on(table.reversedAt),
  ]),
);

/**
 * Tells up to which time rows were removed for their age: events by kind, and flushes. An older one cannot be told from
 * those counted before, so it no longer counts.
 */
export const purges = pgTable("purges", { what: text("what").primaryKey(), through: moment("through").notNull() });

/**
 * Lists customers who were forgotten at a publisher, by the keyed hashes in hits, so that no hit on its way brings one
 * back. Rows are removed when no earlier hit can come any more.
 */
export const erasures = pgTable(
  "erasures",
  {
    publisherId: text("publisher_id").notNull(),
    hash: text("hash").notNull(),
    erasedAt: moment("erased_at").notNull().defaultNow(),
  },
  constraints((table) => [
    primaryKey({ columns: [table.publisherId, table.hash] }),
    index("erasures_age_idx").on(table.erasedAt),
  ]),
);

/**
 * Holds messages that could not be understood, whole, with the reason. They belong to the publisher whose placement
 * they name and to its platform, else to the platform of the advertiser whose offer they name; null where neither is
 * known.
 */
export const trackingRejects = pgTable(
  "tracking_rejects",
  {
    id: text("id").primaryKey(),
    publisherId: text("publisher_id"),
    platformId: text("platform_id"),
    reason: text("reason").notNull(),
    body: text("body").notNull(),
    createdAt: createdAt(),
  },
  constraints((table) => [
    index("tracking_rejects_created_idx").on(descending(table.createdAt)),
    index("tracking_rejects_publisher_idx").on(table.publisherId, descending(table.createdAt)),
    index("tracking_rejects_platform_idx").on(table.platformId, descending(table.createdAt)),
  ]),
);
