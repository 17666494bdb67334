import { eq } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { publishers } from "../schema/accounts.ts";

/**
 * Keeps a publisher, and so what it owns, from deletion until the batch ends. It comes before any lock on what the
 * publisher owns, because the deletion locks in that order too; the other way round they would deadlock.
 *
 * @param strength `no key update` and `update` also make batches of this strength wait for each other
 */
export const holdPublisher = (db: Db, id: string, strength: "key share" | "no key update" | "update" = "key share") =>
  db.select({ id: publishers.id }).from(publishers).where(eq(publishers.id, id)).for(strength);
