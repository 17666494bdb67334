import { sql } from "drizzle-orm";
import type { Db } from "./client.ts";

/**
 * Runs the smallest query there is.
 *
 * @throws when the database does not answer it
 */
export const pingDatabase = async (db: Db): Promise<void> => {
  await db.execute(sql`select 1`);
};
