import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import type { Db } from "../../core/client.ts";
import { NoRoomError, NotFoundError } from "../../core/errors.ts";
import { makeKey } from "../../core/secrets/secrets.ts";
import { documentKeySql } from "../../documents/keys.ts";
import { outdatedBy, outdateSql, type Changed, type OutdatedRow } from "../../documents/outdate.ts";
import { publicKeys } from "../../schema/accounts.ts";
import { endAfter, isValid } from "./expiry.ts";
import { holdPublisher } from "../hold.ts";
import { isPresent } from "../reach.ts";
import { hasRoom } from "./room.ts";

/** Limits how many valid keys a publisher has: each has a document at the edge, which ends with it. */
const MAX_KEYS = 20;

const shape = { key: publicKeys.key, createdAt: publicKeys.createdAt, expiresAt: publicKeys.expiresAt };

const ownKey = (publisherId: string, key: string) =>
  and(
    eq(publicKeys.key, key),
    eq(publicKeys.publisherId, publisherId),
    isValid(publicKeys.expiresAt),
    isPresent(publisherId),
  );

/** Lists a publisher's valid public keys, newest first. */
export const listPublicKeys = (db: Db, publisherId: string) =>
  db
    .select(shape)
    .from(publicKeys)
    .where(and(eq(publicKeys.publisherId, publisherId), isValid(publicKeys.expiresAt)))
    .orderBy(desc(publicKeys.createdAt), publicKeys.key);

const noRoom = () => new NoRoomError(MAX_KEYS, "public keys");

/**
 * Issues a further public key of a publisher.
 *
 * @throws {NotFoundError} when the publisher is gone
 * @throws {NoRoomError} when the publisher has as many as it may have
 */
export const issuePublicKey = async (db: Db, publisherId: string) => {
  const key = makeKey("public");
  const [[publisher], , [issued]] = await db.change([
    holdPublisher(db, publisherId, "no key update"),
    db.execute(sql`
      insert into public_keys (key, publisher_id)
      select ${key}, p.id from publishers p where p.id = ${publisherId} and ${hasRoom(publicKeys, MAX_KEYS, publisherId)}`),
    db.select(shape).from(publicKeys).where(eq(publicKeys.key, key)),
  ]);
  if (!issued) throw publisher ? noRoom() : new NotFoundError("Publisher", publisherId);
  return { value: issued, outdated: [] };
};

/**
 * Makes the statement that ends a public key if a condition holds, at once or after an overlap, and notes its document.
 */
const endPublicKey = (db: Db, publisherId: string, key: string, overlapSeconds: number, condition: SQL = sql`true`) =>
  db.execute<OutdatedRow>(sql`
    with ended as (
      update public_keys set expires_at = ${endAfter(publicKeys.expiresAt, overlapSeconds)}
      where ${ownKey(publisherId, key)} and ${condition}
      returning key
    ) ${outdateSql(sql`select ${documentKeySql.key(sql`key`)} from ended`)}`);

/**
 * Ends a public key at once.
 *
 * @throws {NotFoundError} when the publisher has no such key
 */
export const revokePublicKey = async (db: Db, publisherId: string, key: string): Promise<Changed<null>> => {
  const outdated = outdatedBy(await endPublicKey(db, publisherId, key, 0));
  if (outdated.length === 0) throw new NotFoundError("PublicKey", key);
  return { value: null, outdated };
};

/**
 * Replaces a public key by a new one.
 *
 * @param overlapSeconds how long the old one stays valid
 * @throws {NotFoundError} when the publisher has no such key
 * @throws {NoRoomError} when the publisher has no room for both
 */
export const rotatePublicKey = async (db: Db, publisherId: string, key: string, overlapSeconds: number) => {
  const next = makeKey("public");
  const mayIssue = overlapSeconds === 0 ? sql`true` : hasRoom(publicKeys, MAX_KEYS, publisherId);
  const [, [found], , ended, [issued]] = await db.change([
    holdPublisher(db, publisherId, "no key update"),
    db.select(shape).from(publicKeys).where(ownKey(publisherId, key)),
    db.execute(sql`
      insert into public_keys (key, publisher_id)
      select ${next}, publisher_id from public_keys where ${ownKey(publisherId, key)} and ${mayIssue}`),
    endPublicKey(db, publisherId, key, overlapSeconds, sql`exists (select from public_keys k where k.key = ${next})`),
    db.select(shape).from(publicKeys).where(eq(publicKeys.key, next)),
  ]);
  if (!issued) throw found ? noRoom() : new NotFoundError("PublicKey", key);
  return { value: issued, outdated: outdatedBy(ended) };
};
