import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../../core/client.ts";
import { hashSecret } from "../../core/secrets/secrets.ts";
import { platformTokens } from "../../schema/accounts.ts";
import type { Actor, PublisherActor } from "../actor.ts";
import { isValid } from "./expiry.ts";

/**
 * Finds the publisher of a private token, and notes the day of its use; null when the token is unknown or has ended.
 */
export const findPublisherActor = async (db: Db, bearer: string): Promise<PublisherActor | null> => {
  const result = await db.execute<Omit<PublisherActor, "kind">>(sql`
    with found as (
      select t.id, t.publisher_id, t.access, t.revenue_access, t.gross_access, p.elevated_limits or f.elevated_limits as elevated
      from api_tokens t join publishers p on p.id = t.publisher_id join platforms f on f.id = p.platform_id
      where t.hash = ${await hashSecret(bearer)} and (t.expires_at is null or t.expires_at > now())
    ), touched as (
      update api_tokens t set last_used_on = (now() at time zone 'UTC')::date
      from found where t.id = found.id and t.last_used_on is distinct from (now() at time zone 'UTC')::date
    )
    select publisher_id as "publisherId", elevated, access, revenue_access as "revenueAccess",
      gross_access as "grossAccess" from found`);
  const [row] = result.rows;
  return row ? { kind: "publisher", ...row } : null;
};

/** Finds the platform of a token; null when the token is unknown or has ended. */
export const findPlatformActor = async (
  db: Db,
  bearer: string,
): Promise<Extract<Actor, { kind: "platform" }> | null> => {
  const [row] = await db
    .select({ platformId: platformTokens.platformId })
    .from(platformTokens)
    .where(and(eq(platformTokens.hash, await hashSecret(bearer)), isValid(platformTokens.expiresAt)));
  return row ? { kind: "platform", ...row } : null;
};
