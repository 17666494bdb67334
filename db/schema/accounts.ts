import { constraints } from "#constraints";
import { sql } from "drizzle-orm";
import { boolean, check, date, index, pgTable, smallint, text } from "drizzle-orm/pg-core";
import { checkOneOf, createdAt, descending, moment, updatedAt } from "./columns.ts";
import { HOLDOUT_PERCENT, PUBLISHER_STATUSES, RANK_BYS, TOKEN_ACCESSES } from "./values.ts";

/** Holds platforms: shop systems that create many publishers and switch them on and off. */
export const platforms = pgTable("platforms", {
  id: text("id").primaryKey(),
  name: text("name").notNull().unique(),
  elevatedLimits: boolean("elevated_limits").notNull().default(false),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

/** Holds platforms' bearer tokens, as SHA-256 hashes only. After a rotation the old token works until it expires. */
export const platformTokens = pgTable(
  "platform_tokens",
  {
    id: text("id").primaryKey(),
    platformId: text("platform_id")
      .notNull()
      .references(() => platforms.id, { onDelete: "cascade" }),
    hash: text("hash").notNull().unique(),
    createdAt: createdAt(),
    expiresAt: moment("expires_at"),
  },
  constraints((table) => [index("platform_tokens_platform_idx").on(table.platformId)]),
);

/** Holds publishers: merchants, who own sites, keys and tokens. */
export const publishers = pgTable(
  "publishers",
  {
    id: text("id").primaryKey(),
    platformId: text("platform_id")
      .notNull()
      .references(() => platforms.id),
    name: text("name").notNull().unique(),
    contactName: text("contact_name").notNull(),
    contactEmail: text("contact_email").notNull(),
    contactPhone: text("contact_phone"),
    status: text("status", { enum: PUBLISHER_STATUSES }).notNull().default("active"),
    adsEnabled: boolean("ads_enabled").notNull().default(true),
    elevatedLimits: boolean("elevated_limits").notNull().default(false),
    /** Says what the publisher's offers are ordered by: what they earn, or its own part of that. */
    rankBy: text("rank_by", { enum: RANK_BYS }).notNull().default("GROSS"),
    /** Says how many of a hundred sessions are served in the order from before anything was learned. */
    holdoutPercent: smallint("holdout_percent").notNull().default(HOLDOUT_PERCENT.usual),
    /** Lists the UTC days on which that changed: days before and after such a change are not compared together. */
    holdoutChangedOn: date("holdout_changed_on", { mode: "string" })
      .array()
      .notNull()
      .default(sql`'{}'::date[]`),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  constraints((table) => [
    checkOneOf("publishers_status_check", table.status, PUBLISHER_STATUSES),
    checkOneOf("publishers_rank_by_check", table.rankBy, RANK_BYS),
    check(
      "publishers_holdout_check",
      sql`${table.holdoutPercent} between 0 and ${sql.raw(String(HOLDOUT_PERCENT.most))}`,
    ),
    check("publishers_name_check", sql`char_length(${table.name}) between 1 and 255`),
    index("publishers_platform_idx").on(table.platformId, descending(table.createdAt), table.id),
    index("publishers_contact_email_idx").on(sql`lower(${table.contactEmail})`),
  ]),
);

/**
 * Says which platform deleted publishers belonged to, so that its reports keep what they earned. A trigger fills it.
 */
export const formerPublishers = pgTable(
  "former_publishers",
  { id: text("id").primaryKey(), platformId: text("platform_id").notNull() },
  constraints((table) => [index("former_publishers_platform_idx").on(table.platformId)]),
);

/** Holds the keys that storefronts show publicly. They open the offer endpoint and nothing else. */
export const publicKeys = pgTable(
  "public_keys",
  {
    key: text("key").primaryKey(),
    publisherId: text("publisher_id").notNull(),
    createdAt: createdAt(),
    expiresAt: moment("expires_at"),
  },
  constraints((table) => [index("public_keys_publisher_idx").on(table.publisherId)]),
);

/** Holds publishers' private tokens: the SHA-256 finds a token, the ciphertext lets the listing show its bearer. */
export const apiTokens = pgTable(
  "api_tokens",
  {
    id: text("id").primaryKey(),
    publisherId: text("publisher_id").notNull(),
    name: text("name").notNull(),
    hash: text("hash").notNull().unique(),
    bearerCiphertext: text("bearer_ciphertext").notNull(),
    revenueAccess: boolean("revenue_access").notNull(),
    grossAccess: boolean("gross_access").notNull(),
    access: text("access", { enum: TOKEN_ACCESSES }).notNull().default("WRITE"),
    createdAt: createdAt(),
    expiresAt: moment("expires_at"),
    lastUsedOn: date("last_used_on", { mode: "string" }),
  },
  constraints((table) => [
    checkOneOf("api_tokens_access_check", table.access, TOKEN_ACCESSES),
    index("api_tokens_publisher_idx").on(table.publisherId, descending(table.createdAt), table.id),
  ]),
);
