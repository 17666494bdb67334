import { gt, isNull, or, sql, type SQL } from "drizzle-orm";
import type { apiTokens, platformTokens, publicKeys } from "../../schema/accounts.ts";

type Expiry = typeof apiTokens.expiresAt | typeof publicKeys.expiresAt | typeof platformTokens.expiresAt;

/**
 * Tells in SQL whether something has not ended yet, by the clock: what ended while a batch waited for a lock has ended.
 */
export const isValid = (expiresAt: Expiry): SQL | undefined =>
  or(isNull(expiresAt), gt(expiresAt, sql`clock_timestamp()`));

/** Computes when something ends that overlaps with its successor: no later than it would have ended anyway. */
export const endAfter = (expiresAt: Expiry, seconds: number): SQL =>
  sql`least(coalesce(${expiresAt}, 'infinity'), now() + make_interval(secs => ${seconds}))`;
