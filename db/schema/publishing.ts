import { constraints } from "#constraints";
import { bigint, index, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, moment } from "./columns.ts";

/**
 * Lists outdated documents. A change writes its rows here in its own transaction, and publishing a document removes them.
 * The table has no foreign key, because a row must outlive what was deleted.
 */
export const publishOutbox = pgTable(
  "publish_outbox",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    documentKey: text("document_key").notNull(),
    createdAt: createdAt(),
  },
  constraints((table) => [index("publish_outbox_document_idx").on(table.documentKey)]),
);

/**
 * Holds what was deleted while there was something below it: publishers, sites and placements, by their ids. The cron
 * removes what is below in steps, taking first the deletion that has waited longest for one. Triggers add the rows
 * (db/README.md, "Deleting").
 */
export const deletions = pgTable(
  "deletions",
  {
    id: text("id").primaryKey(),
    deletedAt: moment("deleted_at").notNull().defaultNow(),
    steppedAt: moment("stepped_at").notNull().defaultNow(),
  },
  constraints((table) => [index("deletions_stepped_idx").on(table.steppedAt, table.id)]),
);

/**
 * Holds who does a duty of the cron now, so that two runs of it never overlap. A holder that died loses the lease when
 * it expires.
 */
export const leases = pgTable("leases", {
  name: text("name").primaryKey(),
  holder: text("holder").notNull(),
  heldUntil: moment("held_until").notNull(),
});
