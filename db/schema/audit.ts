import { constraints } from "#constraints";
import { index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { checkOneOf, createdAt, descending } from "./columns.ts";
import { AUDIT_ACTIONS, AUDITED_KINDS } from "./values.ts";

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
export const webhookEvents = pgTable(
  "webhook_events",
  auditColumns(),
  constraints((table) => [
    index("webhook_events_publisher_idx").on(table.publisherId, descending(table.createdAt), table.id),
    index("webhook_events_age_idx").on(table.createdAt),
  ]),
);

/** Records lifecycle changes of sites (API.md, "Audit record": WebhookLog). */
export const webhookLogs = pgTable(
  "webhook_logs",
  {
    ...auditColumns(),
    siteId: text("site_id").notNull(),
  },
  constraints((table) => [
    index("webhook_logs_site_idx").on(table.siteId, descending(table.createdAt), table.id),
    index("webhook_logs_publisher_idx").on(table.publisherId),
    index("webhook_logs_age_idx").on(table.createdAt),
  ]),
);

/** Holds members of a resource as answers name them; a value that must not be shown is `hidden`. */
export type Members = Record<string, unknown>;

/**
 * Records every change that a caller of the management API makes, resource by resource. Triggers write it, so that no
 * change can skip it. It names the owner of the resource, without foreign keys, since it outlives both.
 */
export const auditLog = pgTable(
  "audit_log",
  {
    id: text("id").primaryKey(),
    actorKind: text("actor_kind", { enum: ["publisher", "platform", "admin"] }).notNull(),
    actorId: text("actor_id"),
    resourceKind: text("resource_kind", { enum: AUDITED_KINDS }).notNull(),
    resourceId: text("resource_id").notNull(),
    action: text("action", { enum: AUDIT_ACTIONS }).notNull(),
    publisherId: text("publisher_id"),
    platformId: text("platform_id"),
    before: jsonb("before").$type<Members>(),
    after: jsonb("after").$type<Members>(),
    reason: text("reason"),
    requestId: text("request_id").notNull(),
    callerIpAddress: text("caller_ip_address"),
    createdAt: createdAt(),
  },
  constraints((table) => [
    checkOneOf("audit_log_resource_kind_check", table.resourceKind, AUDITED_KINDS),
    checkOneOf("audit_log_action_check", table.action, AUDIT_ACTIONS),
    index("audit_log_publisher_idx").on(table.publisherId, descending(table.createdAt), table.id),
    index("audit_log_platform_idx").on(table.platformId, descending(table.createdAt), table.id),
    index("audit_log_resource_idx").on(table.resourceId, descending(table.createdAt), table.id),
    index("audit_log_created_idx").on(descending(table.createdAt), table.id),
  ]),
);
