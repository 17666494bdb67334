import { sql, type SQL } from "drizzle-orm";
import type { apiTokens, publicKeys } from "../../schema/accounts.ts";
import { isValid } from "./expiry.ts";

/**
 * Tells in SQL whether a publisher may have one more valid row of a table. An earlier statement of the batch locks the
 * publisher, so that several at once stay within the limit.
 */
export const hasRoom = (
  table: typeof publicKeys | typeof apiTokens,
  most: number,
  publisherId: string,
): SQL => sql`${most} > (
  select count(*) from ${table} where ${table.publisherId} = ${publisherId} and ${isValid(table.expiresAt)})`;
