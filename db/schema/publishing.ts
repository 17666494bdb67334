import { bigint, index, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, moment } from "./columns.ts";

/**
 * Documents that the edge must get anew, written with the change that outdates them.
 * No foreign key: the row has to outlive what was deleted.
 */
export const publishOutbox = pgTable(
  "publish_outbox",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    documentKey: text("document_key").notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("publish_outbox_document_idx").on(table.documentKey)],
);

/** Holds who does a duty of the cron now, so that two runs of it never overlap. A holder that died loses it by time. */
export const leases = pgTable("leases", {
  name: text("name").primaryKey(),
  holder: text("holder").notNull(),
  heldUntil: moment("held_until").notNull(),
});
