import { constraints } from "#constraints";
import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  date,
  doublePrecision,
  index,
  integer,
  pgTable,
  smallint,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { platforms } from "./accounts.ts";
import { anyOf, checkAllOf, checkOneOf, createdAt, descending, moment, updatedAt } from "./columns.ts";
import {
  AGE_DEMOGRAPHICS,
  CREATIVE_SPLITS,
  CURRENCIES,
  GENDER_DEMOGRAPHICS,
  OFFER_STATUSES,
  PACINGS,
  PAYMENT_TYPES,
  PRICINGS,
  REACHES,
  USUAL_PRIORITY,
} from "./values.ts";

/** Declares the integer by which documents and slim tables name a row. Postgres assigns it. */
const serial = () => integer("serial").notNull().generatedAlwaysAsIdentity().unique();

/**
 * Holds advertisers, who pay for offers. An advertiser without a platform belongs to the network's operator and serves
 * everywhere. Those of a platform serve at its own publishers, unless the administrator opened them to the network.
 */
export const advertisers = pgTable(
  "advertisers",
  {
    id: text("id").primaryKey(),
    serial: serial(),
    platformId: text("platform_id").references(() => platforms.id),
    name: text("name").notNull(),
    status: text("status", { enum: OFFER_STATUSES }).notNull().default("active"),
    reach: text("reach", { enum: REACHES }).notNull().default("PLATFORM"),
    conversionSecretHash: text("conversion_secret_hash").notNull().unique(),
    conversionSecretCiphertext: text("conversion_secret_ciphertext").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** Tells when it was last stopped, or when its reach last changed. */
    changedAt: moment("changed_at").notNull().defaultNow(),
  },
  constraints((table) => [
    unique("advertisers_platform_name_key").on(table.platformId, table.name).nullsNotDistinct(),
    checkOneOf("advertisers_status_check", table.status, OFFER_STATUSES),
    checkOneOf("advertisers_reach_check", table.reach, REACHES),
    check("advertisers_network_check", sql`${table.platformId} is not null or ${table.reach} = 'NETWORK'`),
    // A pixel key is made from this hash, and found by it.
    uniqueIndex("advertisers_pixel_idx").on(sql`sha256(${table.conversionSecretHash}::bytea)`),
    index("advertisers_created_idx").on(descending(table.createdAt), table.id),
    index("advertisers_changed_idx")
      .on(table.changedAt)
      .where(sql`${table.changedAt} > ${table.createdAt}`),
  ]),
);

/**
 * Holds an offer: creative, destination, schedule, price and targeting. An empty targeting array admits all.
 *
 * `priority` 1 is served before 2 and so on. `bidMicros` is micro-USD for what `pricing` names; `ecpmMicros` is what a
 * thousand impressions are expected to earn and orders offers of one tier. Caps limit the events that are paid for, and
 * `pacing` says whether they are used up evenly (db/schema/pacing.ts); `cappedThrough` is the last UTC day on which a
 * cap is reached, `infinity` for good, and `taper` how often the share of sessions that see the offer among the first
 * is halved, because a cap is near; db/demand/caps/caps.ts maintains both.
 */
export const offers = pgTable(
  "offers",
  {
    id: text("id").primaryKey(),
    serial: serial(),
    /** Counts the versions of price and destination, from 1. */
    revision: integer("revision").notNull().default(1),
    /**
     * Counts the versions of its own texts and destination, from 1: what was learned of one says little of the next.
     */
    creative: integer("creative").notNull().default(1),
    advertiserId: text("advertiser_id")
      .notNull()
      .references(() => advertisers.id, { onDelete: "cascade" }),
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
    status: text("status", { enum: OFFER_STATUSES }).notNull().default("active"),
    startsAt: moment("starts_at"),
    endsAt: moment("ends_at"),
    priority: smallint("priority").notNull().default(USUAL_PRIORITY),
    pricing: text("pricing", { enum: PRICINGS }).notNull(),
    bidMicros: bigint("bid_micros", { mode: "number" }).notNull(),
    publisherShareBps: integer("publisher_share_bps").notNull().default(7000),
    ecpmMicros: bigint("ecpm_micros", { mode: "number" }).notNull(),
    dailyCap: bigint("daily_cap", { mode: "number" }),
    lifetimeCap: bigint("lifetime_cap", { mode: "number" }),
    pacing: text("pacing", { enum: PACINGS }).notNull().default("ASAP"),
    cappedThrough: date("capped_through", { mode: "string" }),
    taper: smallint("taper").notNull().default(0),
    countries: anyOf("countries"),
    languages: anyOf("languages"),
    currencies: anyOf("currencies"),
    amountMin: doublePrecision("amount_min"),
    amountMax: doublePrecision("amount_max"),
    paymentTypes: anyOf("payment_types"),
    categoryIds: anyOf("category_ids"),
    ageDemographics: anyOf("age_demographics"),
    genderDemographics: anyOf("gender_demographics"),
    includePublishers: anyOf("include_publishers"),
    excludePublishers: anyOf("exclude_publishers"),
    includeSites: anyOf("include_sites"),
    excludeSites: anyOf("exclude_sites"),
    creativeSplit: text("creative_split", { enum: CREATIVE_SPLITS }).notNull().default("WEIGHTS"),
    /** Holds the weight of the offer's own texts among its creatives. */
    creativeWeight: smallint("creative_weight").notNull().default(100),
    /** Counts its further creatives that are active. Triggers of `offer_creatives` maintain it. */
    alternatives: smallint("alternatives").notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /**
     * Tells when it was last stopped, or when its targeting or destination last changed. Candidates that were built
     * before then must not serve it. No other change moves this time.
     */
    changedAt: moment("changed_at").notNull().defaultNow(),
  },
  constraints((table) => [
    checkOneOf("offers_status_check", table.status, OFFER_STATUSES),
    checkOneOf("offers_pricing_check", table.pricing, PRICINGS),
    checkOneOf("offers_pacing_check", table.pacing, PACINGS),
    // Without a cap, and for a lifetime cap without an end, there is nothing to spread evenly.
    check(
      "offers_even_check",
      sql`${table.pacing} <> 'EVEN' or ${table.dailyCap} is not null or num_nulls(${table.lifetimeCap}, ${table.endsAt}) = 0`,
    ),
    checkAllOf("offers_currencies_check", table.currencies, CURRENCIES),
    checkAllOf("offers_payment_types_check", table.paymentTypes, PAYMENT_TYPES),
    checkAllOf("offers_age_check", table.ageDemographics, AGE_DEMOGRAPHICS),
    checkAllOf("offers_gender_check", table.genderDemographics, GENDER_DEMOGRAPHICS),
    checkOneOf("offers_creative_split_check", table.creativeSplit, CREATIVE_SPLITS),
    check("offers_creative_weight_check", sql`${table.creativeWeight} between 0 and 100`),
    check("offers_priority_check", sql`${table.priority} between 1 and 100`),
    check("offers_bid_check", sql`${table.bidMicros} between 0 and 100000000000`),
    // A thousandth of the bid is what one impression costs, and it has to be whole micro-dollars.
    check("offers_cpm_check", sql`${table.pricing} <> 'CPM' or ${table.bidMicros} % 1000 = 0`),
    check("offers_ecpm_check", sql`${table.ecpmMicros} >= 0`),
    check("offers_share_check", sql`${table.publisherShareBps} between 0 and 10000`),
    check("offers_caps_check", sql`${table.dailyCap} > 0 and ${table.lifetimeCap} > 0`),
    check("offers_dates_check", sql`${table.startsAt} < ${table.endsAt}`),
    check("offers_amount_check", sql`${table.amountMin} >= 0 and ${table.amountMin} <= ${table.amountMax}`),
    // An amount means nothing without its currency.
    check(
      "offers_amount_currency_check",
      sql`(${table.amountMin} is null and ${table.amountMax} is null) or cardinality(${table.currencies}) > 0`,
    ),
    check("offers_icon_check", sql`num_nulls(${table.iconUrl}, ${table.iconWidth}, ${table.iconHeight}) in (0, 3)`),
    index("offers_changed_idx")
      .on(table.changedAt)
      .where(sql`${table.changedAt} > ${table.createdAt}`),
    index("offers_tapered_idx")
      .on(table.serial)
      .where(sql`${table.taper} > 0`),
    index("offers_advertiser_idx").on(table.advertiserId, descending(table.createdAt), table.id),
  ]),
);
