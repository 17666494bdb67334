import { constraints } from "#constraints";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
} from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";
import { offers } from "./demand.ts";

/** Stores a set of numbers as a bit string, which is as long as its highest number needs. */
const bits = customType<{ data: string }>({ dataType: () => "bit varying" });

const offerSerial = () =>
  integer("serial")
    .notNull()
    .references(() => offers.serial, { onDelete: "cascade" });

/**
 * Assigns numbers to the values that offers target, from 1 in each dimension (`countries`, `languages` …). A number is
 * a bit in the masks of {@link offerRanks}. Triggers add missing values; none is ever removed.
 */
export const targetingValues = pgTable(
  "targeting_values",
  {
    dimension: text("dimension").notNull(),
    value: text("value").notNull(),
    number: smallint("number").notNull(),
  },
  constraints((table) => [
    primaryKey({ columns: [table.dimension, table.value] }),
    unique("targeting_values_number_key").on(table.dimension, table.number),
  ]),
);

/**
 * Holds slim rows of the offers that may serve, for candidates to be found by. Triggers on `offers` and `advertisers`
 * maintain them, so that no way of writing can skip them.
 *
 * `lane` names where an offer applies: a site or a publisher that it includes, else its platform, else '' for
 * everywhere; an offer has a row for each. The smaller the `rank` the better. `gate` is 0 when a request's language,
 * currency, amount and payment type do not matter and all sessions may see it, else a hash of what it asks of requests.
 * A mask that is null admits all. `opensAt` is the offer's start or the end of a reached daily cap, whichever is later.
 * Columns of a fixed width come first, which Postgres reads faster.
 */
export const offerRanks = pgTable(
  "offer_ranks",
  {
    rank: bigint("rank", { mode: "number" }).notNull(),
    gate: bigint("gate", { mode: "bigint" }).notNull(),
    serial: offerSerial(),
    advertiser: integer("advertiser").notNull(),
    isOpen: boolean("is_open").notNull(),
    /** Tells that {@link offerExclusions} has rows of the offer. */
    hasExclusions: boolean("has_exclusions").notNull(),
    /**
     * Tells that its pacing is EVEN, so that some sessions do not see it. It then has a gate, as if it asked something
     * of requests.
     */
    isPaced: boolean("is_paced").notNull().default(false),
    opensAt: moment("opens_at"),
    endsAt: moment("ends_at"),
    amountMin: doublePrecision("amount_min"),
    amountMax: doublePrecision("amount_max"),
    countries: bits("countries"),
    categories: bits("categories"),
    ageDemographics: bits("age_demographics"),
    genderDemographics: bits("gender_demographics"),
    languages: bits("languages"),
    currencies: bits("currencies"),
    paymentTypes: bits("payment_types"),
    /** Names the platform whose publishers alone it serves; null when any may show it. */
    platformId: text("platform_id"),
    /** Lists the publishers that an offer for certain sites also requires; null when it requires none. */
    publishers: text("publishers").array(),
    lane: text("lane").notNull(),
  },
  constraints((table) => [
    primaryKey({ columns: [table.serial, table.lane] }),
    // Ends with the advertiser, so that offers of other advertisers are found in the index alone.
    index("offer_ranks_order_idx").on(table.lane, table.isOpen, table.rank, table.serial, table.advertiser),
    index("offer_ranks_opens_idx")
      .on(table.lane, table.opensAt)
      .where(sql`${table.opensAt} is not null`),
  ]),
);

/** Lists the sites and publishers that an offer excludes. */
export const offerExclusions = pgTable(
  "offer_exclusions",
  { target: text("target").notNull(), serial: offerSerial() },
  constraints((table) => [
    primaryKey({ columns: [table.target, table.serial] }),
    index("offer_exclusions_serial_idx").on(table.serial),
  ]),
);

/** Remembers offers that were deleted for two days, because candidates at the edge may still hold them. */
export const deletedOffers = pgTable(
  "deleted_offers",
  { serial: integer("serial").primaryKey(), deletedAt: moment("deleted_at").notNull().defaultNow() },
  constraints((table) => [index("deleted_offers_deleted_idx").on(table.deletedAt)]),
);
