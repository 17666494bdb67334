import { and, eq } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { offerRevisions } from "../schema/demand.ts";

/** Finds where an offer led when it was shown, whatever its status is now; null for a revision that never was. */
export const findDestination = async (db: Db, offerId: string, revision: number): Promise<string | null> => {
  const [shown] = await db
    .select({ url: offerRevisions.destinationUrl })
    .from(offerRevisions)
    .where(and(eq(offerRevisions.offerId, offerId), eq(offerRevisions.revision, revision)));
  return shown?.url ?? null;
};
