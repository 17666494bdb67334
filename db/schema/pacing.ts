import { constraints } from "#constraints";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
} from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";
import { offers } from "./demand.ts";

/**
 * Holds how each offer of pacing EVEN is kept to its curve. Triggers of the table `offers` add and remove rows; a duty
 * of the cron updates them (functions/events/pace.ts).
 *
 * `step` says which share of sessions may see the offer: all at 0, and half as many eight steps further. A new row
 * begins with a sixteenth. `billed` and `exposure` give its rate, both faded: paid-for events, and the average hours of
 * traffic in which they came, each hour multiplied by the share of that time. `used` is how many paid-for events there
 * were at `pacedAt`, when the row was last brought up to date; null before that.
 */
export const offerPaces = pgTable(
  "offer_paces",
  {
    serial: integer("serial")
      .primaryKey()
      .references(() => offers.serial, { onDelete: "cascade" }),
    step: smallint("step").notNull().default(32),
    /** Tells that the offer is active, has not ended and is not at its lifetime cap. */
    isOn: boolean("is_on").notNull(),
    billed: doublePrecision("billed").notNull().default(0),
    exposure: doublePrecision("exposure").notNull().default(0),
    used: bigint("used", { mode: "number" }).notNull().default(0),
    pacedAt: moment("paced_at"),
  },
  constraints((table) => [
    // Has all that the network's document lists, in its order.
    index("offer_paces_step_idx")
      .on(table.step, table.serial)
      .where(sql`${table.isOn} and ${table.step} > 0`),
  ]),
);

/**
 * Holds the ad requests of a UTC hour that no switch stopped, by country and by the platform of their placement, empty
 * where it is gone: `hourly_requests` added up, for the curves of offers without named sites.
 */
export const hourlyTraffic = pgTable(
  "hourly_traffic",
  {
    hour: moment("hour").notNull(),
    platformId: text("platform_id").notNull(),
    country: text("country").notNull(),
    requests: bigint("requests", { mode: "number" }).notNull(),
  },
  constraints((table) => [primaryKey({ columns: [table.hour, table.platformId, table.country] })]),
);

/**
 * Holds how many requests came in each hour of the week, from Thursday 0:00 UTC, in the four weeks before `until`,
 * where offers of the same targeting may serve. `since` is the first of these hours that had requests. `key` names the
 * targeting.
 */
export const trafficCurves = pgTable(
  "traffic_curves",
  {
    key: text("key").primaryKey(),
    requests: doublePrecision("requests").array().notNull(),
    since: moment("since"),
    until: moment("until").notNull(),
    madeAt: moment("made_at").notNull().defaultNow(),
  },
  constraints((table) => [index("traffic_curves_made_idx").on(table.madeAt)]),
);
