import { constraints } from "#constraints";
import { sql } from "drizzle-orm";
import { check, integer, pgTable, smallint, text, unique } from "drizzle-orm/pg-core";
import { checkOneOf, createdAt, updatedAt } from "./columns.ts";
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
  constraints((table) => [
    unique("offer_creatives_number_key").on(table.offerId, table.number),
    checkOneOf("offer_creatives_status_check", table.status, OFFER_STATUSES),
    check("offer_creatives_number_check", sql`${table.number} between 2 and ${sql.raw(String(MOST_CREATIVES))}`),
    check("offer_creatives_weight_check", sql`${table.weight} between 0 and 100`),
    check(
      "offer_creatives_icon_check",
      sql`num_nulls(${table.iconUrl}, ${table.iconWidth}, ${table.iconHeight}) in (0, 3)`,
    ),
  ]),
);
