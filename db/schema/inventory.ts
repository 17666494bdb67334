import { constraints } from "#constraints";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  unique,
} from "drizzle-orm/pg-core";
import { checkOneOf, createdAt, descending, moment, updatedAt } from "./columns.ts";
import {
  AGE_DEMOGRAPHICS,
  GENDER_DEMOGRAPHICS,
  PAGE_TYPES,
  PARTNER_ZONE_STATUSES,
  PLACEMENT_STATUSES,
  SITE_STATUSES,
} from "./values.ts";

/** Holds the kinds of goods that shops sell. `path` is the slug path, `taxonomyId` the dotted position in the list. */
export const categories = pgTable("categories", {
  id: text("id").primaryKey(),
  name: text("name").notNull().unique(),
  path: text("path").notNull().unique(),
  taxonomyId: text("taxonomy_id").notNull().unique(),
});

/** Holds publishers' stores. `averageOrder` is in USD, `orderVolume` in orders a month. */
export const sites = pgTable(
  "sites",
  {
    id: text("id").primaryKey(),
    publisherId: text("publisher_id").notNull(),
    name: text("name").notNull(),
    description: text("description"),
    orderVolume: bigint("order_volume", { mode: "number" }),
    averageOrder: doublePrecision("average_order"),
    ageDemographics: text("age_demographics", { enum: AGE_DEMOGRAPHICS }),
    genderDemographics: text("gender_demographics", { enum: GENDER_DEMOGRAPHICS }),
    domain: text("domain"),
    status: text("status", { enum: SITE_STATUSES }).notNull().default("pending"),
    adsEnabled: boolean("ads_enabled").notNull().default(true),
    categoryId: text("category_id").references(() => categories.id),
    /**
     * Tells when category or demographics last changed: candidates that were built before then are renewed. A trigger
     * sets it.
     */
    factsChangedAt: moment("facts_changed_at").notNull().defaultNow(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  constraints((table) => [
    unique("sites_publisher_name_key").on(table.publisherId, table.name),
    checkOneOf("sites_status_check", table.status, SITE_STATUSES),
    checkOneOf("sites_age_check", table.ageDemographics, AGE_DEMOGRAPHICS),
    checkOneOf("sites_gender_check", table.genderDemographics, GENDER_DEMOGRAPHICS),
    check("sites_order_volume_check", sql`${table.orderVolume} between 0 and 9007199254740991`),
    check("sites_average_order_check", sql`${table.averageOrder} >= 0 and ${table.averageOrder} < 'infinity'`),
    check("sites_name_check", sql`char_length(${table.name}) between 1 and 255`),
    index("sites_publisher_idx").on(table.publisherId, descending(table.createdAt), table.id),
    index("sites_category_idx").on(table.categoryId),
  ]),
);

/** Holds the places on sites that show offers. `data` overrides members of the default template data. */
export const placements = pgTable(
  "placements",
  {
    id: text("id").primaryKey(),
    siteId: text("site_id").notNull(),
    name: text("name").notNull(),
    pageType: text("page_type", { enum: PAGE_TYPES }).notNull().default("THANK_YOU_PAGE"),
    isLiveMode: boolean("is_live_mode").notNull().default(false),
    template: smallint("template").notNull().default(1),
    data: jsonb("data")
      .$type<Record<string, unknown>>()
      .notNull()
      .default(sql`'{}'::jsonb`),
    status: text("status", { enum: PLACEMENT_STATUSES }).notNull().default("active"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  constraints((table) => [
    checkOneOf("placements_status_check", table.status, PLACEMENT_STATUSES),
    checkOneOf("placements_page_type_check", table.pageType, PAGE_TYPES),
    check("placements_template_check", sql`${table.template} between 1 and 21`),
    check("placements_data_check", sql`jsonb_typeof(${table.data}) = 'object'`),
    index("placements_site_idx").on(table.siteId, descending(table.createdAt), table.id),
  ]),
);

/** Holds the sites to announce to the partner's ad server, each with the outcome. */
export const partnerZoneJobs = pgTable(
  "partner_zone_jobs",
  {
    siteId: text("site_id").primaryKey(),
    status: text("status", { enum: PARTNER_ZONE_STATUSES }).notNull().default("pending"),
    attempts: integer("attempts").notNull().default(0),
    zoneId: text("zone_id"),
    lastError: text("last_error"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  constraints((table) => [
    checkOneOf("partner_zone_jobs_status_check", table.status, PARTNER_ZONE_STATUSES),
    check("partner_zone_jobs_attempts_check", sql`${table.attempts} >= 0`),
    index("partner_zone_jobs_pending_idx")
      .on(table.updatedAt)
      .where(sql`${table.status} = 'pending'`),
  ]),
);
