import { index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, descending } from "./columns.ts";

/** Describes a publisher or site before or after a lifecycle change. */
export type LifecycleState = { status: string; adsEnabled: boolean };

const auditColumns = () => ({
  id: text("id").primaryKey(),
  publisherId: text("publisher_id").notNull(),
  source: text("source").notNull(),
  eventType: text("event_type").notNull(),
  payload: jsonb("payload").$type<Record<string, string | null>>().notNull(),
  reason: text("reason"),
  before: jsonb("before").$type<LifecycleState>().notNull(),
  after: jsonb("after").$type<LifecycleState>().notNull(),
  createdAt: createdAt(),
});

/** Records lifecycle changes of publishers (API.md, "Audit record": WebhookEvent). */
export const webhookEvents = pgTable("webhook_events", auditColumns(), (table) => [
  index("webhook_events_publisher_idx").on(table.publisherId, descending(table.createdAt), table.id),
  index("webhook_events_age_idx").on(table.createdAt),
]);

/** Records lifecycle changes of sites (API.md, "Audit record": WebhookLog). */
export const webhookLogs = pgTable(
  "webhook_logs",
  {
    ...auditColumns(),
    siteId: text("site_id").notNull(),
  },
  (table) => [
    index("webhook_logs_site_idx").on(table.siteId, descending(table.createdAt), table.id),
    index("webhook_logs_publisher_idx").on(table.publisherId),
    index("webhook_logs_age_idx").on(table.createdAt),
  ],
);
