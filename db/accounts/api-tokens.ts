import { and, desc, eq, sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { LastTokenError, NotFoundError, violatesForeignKey } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { decryptSecret, encryptSecret, hashSecret, makeKey } from "../core/secrets.ts";
import type { Changed } from "../documents/outdate.ts";
import { apiTokens } from "../schema/accounts.ts";
import type { Actor } from "./actor.ts";
import { endAfter, isValid } from "./expiry.ts";
import { holdPublisher } from "./hold.ts";
import { isPresent } from "./reach.ts";

/** Selects a private token without its bearer; `lastUsedOn` is a UTC day. */
const shape = {
  id: apiTokens.id,
  name: apiTokens.name,
  revenueAccess: apiTokens.revenueAccess,
  grossAccess: apiTokens.grossAccess,
  createdAt: apiTokens.createdAt,
  expiresAt: apiTokens.expiresAt,
  lastUsedOn: apiTokens.lastUsedOn,
};

const ownToken = (publisherId: string, id: string) =>
  and(
    eq(apiTokens.id, id),
    eq(apiTokens.publisherId, publisherId),
    isValid(apiTokens.expiresAt),
    isPresent(publisherId),
  );

/** Makes a private token: the row to store, and the bearer to show. */
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

/** Lists a publisher's valid private tokens with their bearers, newest first (API.md, "API token"). */
export const listApiTokens = async (db: Db, publisherId: string, encryptionKey: string) => {
  const rows = await db
    .select({
      id: apiTokens.id,
      name: apiTokens.name,
      sealed: apiTokens.bearerCiphertext,
      revenueAccess: apiTokens.revenueAccess,
      grossAccess: apiTokens.grossAccess,
      createdAt: apiTokens.createdAt,
    })
    .from(apiTokens)
    .where(and(eq(apiTokens.publisherId, publisherId), isValid(apiTokens.expiresAt)))
    .orderBy(desc(apiTokens.createdAt), apiTokens.id);
  return Promise.all(
    rows.map(async ({ id, name, sealed, revenueAccess, grossAccess, createdAt }) => ({
      id,
      name,
      bearer: await decryptSecret(sealed, encryptionKey),
      revenueAccess,
      grossAccess,
      createdAt,
    })),
  );
};

/**
 * Finds a valid private token of a publisher.
 *
 * @throws {NotFoundError} when the publisher has no such token
 */
export const requireToken = async (db: Db, publisherId: string, id: string) => {
  const [token] = await db.select(shape).from(apiTokens).where(ownToken(publisherId, id));
  if (!token) throw new NotFoundError("Token", id);
  return token;
};

/**
 * Issues a further private token of a publisher, with its bearer. It shows the same money as the token that issued it.
 *
 * @throws {NotFoundError} when the publisher is gone
 */
export const issueToken = async (db: Db, publisherId: string, name: string, issuer: Actor, encryptionKey: string) => {
  const { bearer, row } = await makeApiToken(publisherId, name, encryptionKey);
  const { revenueAccess, grossAccess } = issuer.kind === "publisher" ? issuer : row;
  try {
    const [token] = await db
      .insert(apiTokens)
      .values({ ...row, revenueAccess, grossAccess })
      .returning(shape);
    if (!token) throw new Error("an insert returned nothing");
    return { value: { ...token, bearer }, outdated: [] };
  } catch (error) {
    throw violatesForeignKey(error) ? new NotFoundError("Publisher", publisherId) : error;
  }
};

/**
 * Renames a token, or sets what money its reports show.
 *
 * @throws {NotFoundError} when the publisher has no such token
 */
export const updateToken = async (
  db: Db,
  publisherId: string,
  id: string,
  change: { name?: string | undefined; revenueAccess?: boolean | undefined; grossAccess?: boolean | undefined },
) => {
  const [token] = await db
    .update(apiTokens)
    // Naming the column keeps an empty change a statement.
    .set({ ...change, name: change.name ?? sql`${apiTokens.name}` })
    .where(ownToken(publisherId, id))
    .returning(shape);
  if (!token) throw new NotFoundError("Token", id);
  return { value: token, outdated: [] };
};

/**
 * Replaces a token by one of the same name and access.
 *
 * @param overlapSeconds how long the old one stays valid
 * @throws {NotFoundError} when the publisher has no such token
 */
export const rotateToken = async (
  db: Db,
  publisherId: string,
  id: string,
  overlapSeconds: number,
  encryptionKey: string,
) => {
  const { bearer, row } = await makeApiToken(publisherId, "", encryptionKey);
  const [, , , [token]] = await db.batch([
    holdPublisher(db, publisherId, "no key update"),
    db.execute(sql`
      insert into api_tokens (id, publisher_id, name, hash, bearer_ciphertext, revenue_access, gross_access)
      select ${row.id}, publisher_id, name, ${row.hash}, ${row.bearerCiphertext}, revenue_access, gross_access
      from api_tokens where ${ownToken(publisherId, id)}`),
    db
      .update(apiTokens)
      .set({ expiresAt: endAfter(apiTokens.expiresAt, overlapSeconds) })
      .where(ownToken(publisherId, id)),
    db.select(shape).from(apiTokens).where(eq(apiTokens.id, row.id)),
  ]);
  if (!token) throw new NotFoundError("Token", id);
  return { value: { ...token, bearer }, outdated: [] };
};

/**
 * Ends a token at once. The publisher's row is locked, so that of two tokens revoked at once one stays.
 *
 * @throws {NotFoundError} when the publisher has no such token
 * @throws {LastTokenError} when no token without an end would be left
 */
export const revokeToken = async (db: Db, publisherId: string, id: string): Promise<Changed<null>> => {
  const [, { rows }] = await db.batch([
    holdPublisher(db, publisherId, "update"),
    db.execute<{ found: boolean; ended: boolean }>(sql`
      with found as (
        select id, expires_at from api_tokens where ${ownToken(publisherId, id)}
      ), ended as (
        update api_tokens set expires_at = now() from found
        where api_tokens.id = found.id and (found.expires_at is not null or exists (
          select from api_tokens other
          where other.publisher_id = ${publisherId} and other.id <> ${id} and other.expires_at is null))
        returning api_tokens.id
      )
      select exists (select from found) as found, exists (select from ended) as ended`),
  ]);
  if (!rows[0]?.found) throw new NotFoundError("Token", id);
  if (!rows[0].ended) throw new LastTokenError();
  return { value: null, outdated: [] };
};
