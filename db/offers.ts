import { eq } from "drizzle-orm";
import type { Db } from "./client.ts";
import { offers } from "./schema/demand.ts";

/** Where an offer leads, whatever its status: a customer who saw it may still follow it. */
export const findDestination = async (db: Db, offerId: string): Promise<string | null> => {
  const [offer] = await db.select({ url: offers.destinationUrl }).from(offers).where(eq(offers.id, offerId));
  return offer?.url ?? null;
};
