import { sql, type SQL } from "drizzle-orm";
import type { apiTokens, publicKeys } from "../../schema/accounts.ts";
import { isValid } from "./expiry.ts";

/**
 * Tells in SQL whether a publisher may have one more valid row of a table. The batch locks the publisher in a statement
 * before, so that of several at once none is too many.
 */
export const hasRoom = (
  table: typeof publicKeys | typeof apiTokens,
  most: number,
  publisherId: string,
): SQL => sql`${most} > (
  select count(*) from ${table} where ${table.publisherId} = ${publisherId} and ${isValid(table.expiresAt)})`;
