import { and, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { Actor, PublisherActor } from "./actor.ts";
import type { Db } from "../core/client.ts";
import { apiTokens, platformTokens } from "../schema/accounts.ts";
import { decryptSecret, encryptSecret, hashSecret, makeKey } from "../core/secrets.ts";
import { newId } from "../core/ids.ts";

/** Whether a token or key has not ended yet. */
const unexpired = (column: typeof apiTokens.expiresAt | typeof platformTokens.expiresAt) =>
  or(isNull(column), gt(column, sql`now()`));

/** Whose private token this is, noting the day of its use; null when it is unknown or no longer valid. */
export const findPublisherActor = async (db: Db, bearer: string): Promise<PublisherActor | null> => {
  const result = await db.execute<Omit<PublisherActor, "kind">>(sql`
    with found as (
      select t.id, t.publisher_id, t.revenue_access, t.gross_access, p.elevated_limits or f.elevated_limits as elevated
      from api_tokens t join publishers p on p.id = t.publisher_id join platforms f on f.id = p.platform_id
      where t.hash = ${await hashSecret(bearer)} and (t.expires_at is null or t.expires_at > now())
    ), touched as (
      update api_tokens t set last_used_on = (now() at time zone 'UTC')::date
      from found where t.id = found.id and t.last_used_on is distinct from (now() at time zone 'UTC')::date
    )
    select id as "tokenId", publisher_id as "publisherId", elevated, revenue_access as "revenueAccess",
      gross_access as "grossAccess" from found`);
  const [row] = result.rows;
  return row ? { kind: "publisher", ...row } : null;
};

/** Whose platform token this is; null when it is unknown or no longer valid. */
export const findPlatformActor = async (
  db: Db,
  bearer: string,
): Promise<Extract<Actor, { kind: "platform" }> | null> => {
  const [row] = await db
    .select({ platformId: platformTokens.platformId })
    .from(platformTokens)
    .where(and(eq(platformTokens.hash, await hashSecret(bearer)), unexpired(platformTokens.expiresAt)));
  return row ? { kind: "platform", ...row } : null;
};

/** A fresh private token: the row to store, and the bearer to show. */
export const makeApiToken = async (publisherId: string, name: string, encryptionKey: string) => {
  const bearer = makeKey("private");
  return {
    bearer,
    row: {
      id: newId("token"),
      publisherId,
      name,
      hash: await hashSecret(bearer),
      bearerCiphertext: await encryptSecret(bearer, encryptionKey),
      revenueAccess: true,
      grossAccess: false,
    },
  };
};

/** The contract's 2.2. */
export type ApiToken = {
  id: string;
  name: string;
  bearer: string;
  revenueAccess: boolean;
  grossAccess: boolean;
  createdAt: Date;
};

/** A publisher's valid private tokens, newest first. */
export const listApiTokens = async (db: Db, publisherId: string, encryptionKey: string): Promise<ApiToken[]> => {
  const rows = await db
    .select()
    .from(apiTokens)
    .where(and(eq(apiTokens.publisherId, publisherId), unexpired(apiTokens.expiresAt)))
    .orderBy(desc(apiTokens.createdAt), apiTokens.id);
  return Promise.all(
    rows.map(async ({ id, name, bearerCiphertext, revenueAccess, grossAccess, createdAt }) => ({
      id,
      name,
      bearer: await decryptSecret(bearerCiphertext, encryptionKey),
      revenueAccess,
      grossAccess,
      createdAt,
    })),
  );
};
