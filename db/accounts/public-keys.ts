import { and, desc, eq, sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { NotFoundError, violatesForeignKey } from "../core/errors.ts";
import { makeKey } from "../core/secrets.ts";
import { documentKeySql } from "../documents/keys.ts";
import { outdatedBy, outdateSql, type Changed, type OutdatedRow } from "../documents/outdate.ts";
import { publicKeys } from "../schema/accounts.ts";
import { endAfter, isValid } from "./expiry.ts";
import { holdPublisher } from "./hold.ts";

const shape = { key: publicKeys.key, createdAt: publicKeys.createdAt, expiresAt: publicKeys.expiresAt };

const ownKey = (publisherId: string, key: string) =>
  and(eq(publicKeys.key, key), eq(publicKeys.publisherId, publisherId), isValid(publicKeys.expiresAt));

/** Lists a publisher's valid public keys, newest first. */
export const listPublicKeys = (db: Db, publisherId: string) =>
  db
    .select(shape)
    .from(publicKeys)
    .where(and(eq(publicKeys.publisherId, publisherId), isValid(publicKeys.expiresAt)))
    .orderBy(desc(publicKeys.createdAt), publicKeys.key);

/**
 * Issues a further public key of a publisher.
 *
 * @throws {NotFoundError} when the publisher is gone
 */
export const issuePublicKey = async (db: Db, publisherId: string) => {
  try {
    const [key] = await db
      .insert(publicKeys)
      .values({ key: makeKey("public"), publisherId })
      .returning(shape);
    if (!key) throw new Error("an insert returned nothing");
    return { value: key, outdated: [] };
  } catch (error) {
    throw violatesForeignKey(error) ? new NotFoundError("Publisher", publisherId) : error;
  }
};

/** Makes the statement that ends a public key, at once or after an overlap, and notes its document. */
const endPublicKey = (db: Db, publisherId: string, key: string, overlapSeconds: number) =>
  db.execute<OutdatedRow>(sql`
    with ended as (
      update public_keys set expires_at = ${endAfter(publicKeys.expiresAt, overlapSeconds)}
      where ${ownKey(publisherId, key)}
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
 */
export const rotatePublicKey = async (db: Db, publisherId: string, key: string, overlapSeconds: number) => {
  const next = makeKey("public");
  const [, , ended, [issued]] = await db.batch([
    holdPublisher(db, publisherId, "no key update"),
    db.execute(sql`
      insert into public_keys (key, publisher_id)
      select ${next}, publisher_id from public_keys where ${ownKey(publisherId, key)}`),
    endPublicKey(db, publisherId, key, overlapSeconds),
    db.select(shape).from(publicKeys).where(eq(publicKeys.key, next)),
  ]);
  if (!issued) throw new NotFoundError("PublicKey", key);
  return { value: issued, outdated: outdatedBy(ended) };
};
