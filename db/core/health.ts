import { sql } from "drizzle-orm";
import type { Db } from "./client.ts";

/** Asks the database for an answer. */
export const pingDatabase = async (db: Db): Promise<void> => {
  await db.execute(sql`select 1`);
};
