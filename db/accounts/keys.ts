import { and, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { Actor } from "./actor.ts";
import type { Db } from "../core/client.ts";
import { LastTokenError, NotFoundError, violatesForeignKey } from "../core/errors.ts";
import { apiTokens, publicKeys, publishers } from "../schema/accounts.ts";
import { makeKey } from "../core/secrets.ts";
import { holdPublisher } from "./publishers.ts";
import { makeApiToken } from "./tokens.ts";

/** A private token without its bearer; `lastUsedOn` is a UTC day. */
const tokenShape = {
  id: apiTokens.id,
  name: apiTokens.name,
  revenueAccess: apiTokens.revenueAccess,
  grossAccess: apiTokens.grossAccess,
  createdAt: apiTokens.createdAt,
  expiresAt: apiTokens.expiresAt,
  lastUsedOn: apiTokens.lastUsedOn,
};

const keyShape = { key: publicKeys.key, createdAt: publicKeys.createdAt, expiresAt: publicKeys.expiresAt };

/** By the clock, not by the transaction's start: what was ended while this batch waited for its lock has ended. */
const valid = (expiresAt: typeof apiTokens.expiresAt | typeof publicKeys.expiresAt) =>
  or(isNull(expiresAt), gt(expiresAt, sql`clock_timestamp()`));

const ownToken = (publisherId: string, id: string) =>
  and(eq(apiTokens.id, id), eq(apiTokens.publisherId, publisherId), valid(apiTokens.expiresAt));

const ownKey = (publisherId: string, key: string) =>
  and(eq(publicKeys.key, key), eq(publicKeys.publisherId, publisherId), valid(publicKeys.expiresAt));

/** When something ends that overlaps with its successor: never later than it would have ended anyway. */
const endAfter = (expiresAt: typeof apiTokens.expiresAt | typeof publicKeys.expiresAt, seconds: number) =>
  sql`least(coalesce(${expiresAt}, 'infinity'), now() + make_interval(secs => ${seconds}))`;

/** A further private token of a publisher, with its bearer. What a token issues shows the same money as that token. */
export const issueToken = async (db: Db, publisherId: string, name: string, issuer: Actor, encryptionKey: string) => {
  const { bearer, row } = await makeApiToken(publisherId, name, encryptionKey);
  const { revenueAccess, grossAccess } = issuer.kind === "publisher" ? issuer : row;
  try {
    const [token] = await db
      .insert(apiTokens)
      .values({ ...row, revenueAccess, grossAccess })
      .returning(tokenShape);
    if (!token) throw new Error("an insert returned nothing");
    return { ...token, bearer };
  } catch (error) {
    throw violatesForeignKey(error) ? new NotFoundError("Publisher", publisherId) : error;
  }
};

/** A valid private token of a publisher. */
export const requireToken = async (db: Db, publisherId: string, id: string) => {
  const [token] = await db.select(tokenShape).from(apiTokens).where(ownToken(publisherId, id));
  if (!token) throw new NotFoundError("Token", id);
  return token;
};

/** Renames a token, or sets what money its reports show. */
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
    .returning(tokenShape);
  if (!token) throw new NotFoundError("Token", id);
  return token;
};

/**
 * Replaces a token by one of the same name and access.
 *
 * @param overlapSeconds how long the old one stays valid
 */
export const rotateToken = async (
  db: Db,
  publisherId: string,
  id: string,
  overlapSeconds: number,
  encryptionKey: string,
) => {
  const { bearer, row } = await makeApiToken(publisherId, "", encryptionKey);
  const [, , [token]] = await db.batch([
    holdPublisher(db, publisherId, "no key update"),
    db.execute(sql`
      insert into api_tokens (id, publisher_id, name, hash, bearer_ciphertext, revenue_access, gross_access)
      select ${row.id}, publisher_id, name, ${row.hash}, ${row.bearerCiphertext}, revenue_access, gross_access
      from api_tokens where ${ownToken(publisherId, id)}`),
    db.select(tokenShape).from(apiTokens).where(eq(apiTokens.id, row.id)),
    db
      .update(apiTokens)
      .set({ expiresAt: endAfter(apiTokens.expiresAt, overlapSeconds) })
      .where(ownToken(publisherId, id)),
  ]);
  if (!token) throw new NotFoundError("Token", id);
  return { ...token, bearer };
};

/**
 * Ends a token at once. The publisher's row is locked, so that of two tokens revoked at once one stays.
 *
 * @throws {LastTokenError} when no token without an end would be left
 */
export const revokeToken = async (db: Db, publisherId: string, id: string): Promise<void> => {
  const [, [found], ended] = await db.batch([
    db.select({ id: publishers.id }).from(publishers).where(eq(publishers.id, publisherId)).for("update"),
    db.select({ id: apiTokens.id }).from(apiTokens).where(ownToken(publisherId, id)),
    db
      .update(apiTokens)
      .set({ expiresAt: sql`now()` })
      .where(
        and(
          ownToken(publisherId, id),
          sql`(${apiTokens.expiresAt} is not null or exists (
            select from api_tokens other
            where other.publisher_id = ${publisherId} and other.id <> ${id} and other.expires_at is null))`,
        ),
      )
      .returning({ id: apiTokens.id }),
  ]);
  if (!found) throw new NotFoundError("Token", id);
  if (ended.length === 0) throw new LastTokenError("last token");
};

/** A further public key of a publisher. */
export const issuePublicKey = async (db: Db, publisherId: string) => {
  try {
    const [key] = await db
      .insert(publicKeys)
      .values({ key: makeKey("public"), publisherId })
      .returning(keyShape);
    if (!key) throw new Error("an insert returned nothing");
    return key;
  } catch (error) {
    throw violatesForeignKey(error) ? new NotFoundError("Publisher", publisherId) : error;
  }
};

/** A publisher's valid public keys, newest first. */
export const listPublicKeys = (db: Db, publisherId: string) =>
  db
    .select(keyShape)
    .from(publicKeys)
    .where(and(eq(publicKeys.publisherId, publisherId), valid(publicKeys.expiresAt)))
    .orderBy(desc(publicKeys.createdAt), publicKeys.key);

/** Ends a public key, at once or after an overlap, and notes its document. */
const endPublicKey = (db: Db, publisherId: string, key: string, overlapSeconds: number) =>
  db.execute<{ document_key: string }>(sql`
    with ended as (
      update public_keys set expires_at = ${endAfter(publicKeys.expiresAt, overlapSeconds)}
      where ${ownKey(publisherId, key)}
      returning key
    )
    insert into publish_outbox (document_key) select 'key:' || key from ended returning document_key`);

/** Ends a public key at once. */
export const revokePublicKey = async (db: Db, publisherId: string, key: string): Promise<void> => {
  const ended = await endPublicKey(db, publisherId, key, 0);
  if (ended.rows.length === 0) throw new NotFoundError("PublicKey", key);
};

/**
 * Replaces a public key by a new one.
 *
 * @param overlapSeconds how long the old one stays valid
 */
export const rotatePublicKey = async (db: Db, publisherId: string, key: string, overlapSeconds: number) => {
  const next = makeKey("public");
  const [, , [issued]] = await db.batch([
    holdPublisher(db, publisherId, "no key update"),
    db.execute(sql`
      insert into public_keys (key, publisher_id)
      select ${next}, publisher_id from public_keys where ${ownKey(publisherId, key)}`),
    db.select(keyShape).from(publicKeys).where(eq(publicKeys.key, next)),
    endPublicKey(db, publisherId, key, overlapSeconds),
  ]);
  if (!issued) throw new NotFoundError("PublicKey", key);
  return issued;
};
