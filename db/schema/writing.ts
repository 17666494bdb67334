import { constraints } from "#constraints";
import { index, json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt } from "./columns.ts";

/**
 * Holds what was asked for under idempotency keys, for a day. A key belongs to a group of callers (`peersOf`).
 * `fingerprint` is a hash of the request. `answer` is the row that its change selected last, with encrypted secrets;
 * null where the row is not kept.
 */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    principal: text("principal").notNull(),
    key: text("key").notNull(),
    fingerprint: text("fingerprint").notNull(),
    answer: json("answer"),
    createdAt: createdAt(),
  },
  constraints((table) => [
    primaryKey({ columns: [table.principal, table.key] }),
    index("idempotency_keys_age_idx").on(table.createdAt),
  ]),
);
