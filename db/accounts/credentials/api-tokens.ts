import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../../core/client.ts";
import { ExceedsError, LastTokenError, NoRoomError, NotFoundError } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { requireSame } from "../../core/writing/same.ts";
import { encryptSecret, openMade } from "../../core/secrets/sealed.ts";
import { hashSecret, makeKey } from "../../core/secrets/secrets.ts";
import type { Changed } from "../../documents/outdate.ts";
import { apiTokens } from "../../schema/accounts.ts";
import { exceeds, isWithinRights, type Actor, type TokenRights } from "../actor.ts";
import { endAfter } from "./expiry.ts";
import { holdPublisher } from "../hold.ts";
import { ownToken, taggedToken } from "./read-tokens.ts";
import { hasRoom } from "./room.ts";

/** Limits how many valid tokens a publisher has, since it issues them itself. */
const MAX_TOKENS = 50;

const noRoom = () => new NoRoomError(MAX_TOKENS, "private tokens");

/** Makes a private token: the row to store, and the bearer to show. */
export const makeApiToken = async (publisherId: string, name: string, encryptionKey: string) => {
  const bearer = makeKey("private");
  const id = newId("token");
  return {
    bearer,
    row: {
      id,
      publisherId,
      name,
      hash: await hashSecret(bearer),
      bearerCiphertext: await encryptSecret(bearer, id, encryptionKey),
      access: "WRITE" as const,
      revenueAccess: true,
      grossAccess: false,
    },
  };
};

/** Says what a new token is called and, if the issuer says so, what it may do. */
export type TokenInput = { name: string } & { [K in keyof TokenRights]?: TokenRights[K] | undefined };

/**
 * Issues a further private token of a publisher, with its bearer. Rights that are left out are those of the issuing
 * token; a token issued by a manager may write and shows revenue.
 *
 * @throws {ExceedsError} when it would have more access than the token that issues it
 * @throws {NotFoundError} when the publisher is gone
 * @throws {NoRoomError} when the publisher has as many as it may have
 */
export const issueToken = async (
  db: Db,
  publisherId: string,
  { name, ...given }: TokenInput,
  issuer: Actor,
  encryptionKey: string,
) => {
  const { row } = await makeApiToken(publisherId, name, encryptionKey);
  const usual = issuer.kind === "publisher" ? issuer : row;
  const access = given.access ?? usual.access;
  const revenueAccess = given.revenueAccess ?? usual.revenueAccess;
  const grossAccess = given.grossAccess ?? usual.grossAccess;
  if (exceeds({ access, revenueAccess, grossAccess }, issuer)) throw new ExceedsError();
  const [[publisher], , [made]] = await db.change([
    holdPublisher(db, publisherId, "no key update"),
    db.execute(sql`
      insert into api_tokens (id, publisher_id, name, hash, bearer_ciphertext, access, revenue_access, gross_access)
      select ${row.id}, p.id, ${name}, ${row.hash}, ${row.bearerCiphertext}, ${access}, ${revenueAccess}, ${grossAccess}
      from publishers p where p.id = ${publisherId} and ${hasRoom(apiTokens, MAX_TOKENS, publisherId)}`),
    db
      .select({ ...taggedToken, sealed: apiTokens.bearerCiphertext })
      .from(apiTokens)
      .where(eq(apiTokens.id, row.id)),
  ]);
  if (!made) throw publisher ? noRoom() : new NotFoundError("Publisher", publisherId);
  const { sealed, ...token } = made;
  return { value: { ...token, bearer: await openMade(token.id, sealed, encryptionKey) }, outdated: [] };
};

/** Lists the members that a change of other members must send unchanged, if at all. */
const FIXED = ["name", "access", "revenueAccess", "grossAccess"] as const;

/** Holds unchanged members of a token that are sent along with a change. */
export type SentAsRead = { [Name in (typeof FIXED)[number]]?: (typeof apiTokens.$inferSelect)[Name] | undefined };

/**
 * Renames a token, or sets what money its reports show.
 *
 * @throws {NotFoundError} when the publisher has no such token
 * @throws {InvalidFieldError} when a member that had to be sent unchanged was changed
 */
export const updateToken = async (
  db: Db,
  publisherId: string,
  id: string,
  change: { name?: string | undefined; revenueAccess?: boolean | undefined; grossAccess?: boolean | undefined },
  same: SentAsRead,
) => {
  const sent = FIXED.flatMap((name) => (same[name] === undefined ? [] : [eq(apiTokens[name], same[name])]));
  const own = ownToken(publisherId, id);
  const [, [held], [token]] = await db.batch([
    holdPublisher(db, publisherId),
    db.select(taggedToken).from(apiTokens).where(own).for("update"),
    db
      .update(apiTokens)
      // Naming the column keeps an empty change a valid statement.
      .set({ ...change, name: change.name ?? sql`${apiTokens.name}` })
      .where(and(own, ...sent))
      .returning(taggedToken),
  ]);
  if (held) for (const name of FIXED) requireSame(name, held[name], same[name]);
  if (!token) throw new NotFoundError("Token", id);
  return { value: token, outdated: [] };
};

/**
 * Replaces a token by one with the same name and rights.
 *
 * @param overlapSeconds how long the old one stays valid
 * @throws {NotFoundError} when the publisher has no such token
 * @throws {ExceedsError} when the token has more access than the caller
 * @throws {NoRoomError} when the publisher has no room for both
 */
export const rotateToken = async (
  db: Db,
  publisherId: string,
  id: string,
  overlapSeconds: number,
  actor: Actor,
  encryptionKey: string,
) => {
  const { bearer, row } = await makeApiToken(publisherId, "", encryptionKey);
  const mayIssue = overlapSeconds === 0 ? sql`true` : hasRoom(apiTokens, MAX_TOKENS, publisherId);
  const [, [found], , , [token]] = await db.change([
    holdPublisher(db, publisherId, "no key update"),
    // The lock on the token keeps its rights as they were found.
    db
      .select({ isWithin: isWithinRights(actor) })
      .from(apiTokens)
      .where(ownToken(publisherId, id))
      .for("no key update"),
    db.execute(sql`
      insert into api_tokens (id, publisher_id, name, hash, bearer_ciphertext, access, revenue_access, gross_access)
      select ${row.id}, publisher_id, name, ${row.hash}, ${row.bearerCiphertext}, access, revenue_access, gross_access
      from api_tokens where ${ownToken(publisherId, id)} and ${isWithinRights(actor)} and ${mayIssue}`),
    db
      .update(apiTokens)
      .set({ expiresAt: endAfter(apiTokens.expiresAt, overlapSeconds) })
      .where(and(ownToken(publisherId, id), sql`exists (select from api_tokens n where n.id = ${row.id})`)),
    db.select(taggedToken).from(apiTokens).where(eq(apiTokens.id, row.id)),
  ]);
  if (!found) throw new NotFoundError("Token", id);
  if (!found.isWithin) throw new ExceedsError();
  if (!token) throw noRoom();
  return { value: { ...token, bearer }, outdated: [] };
};

/**
 * Ends a token at once. The publisher's row is locked, so that of the last two tokens, revoked at the same time, one
 * stays.
 *
 * @throws {NotFoundError} when the publisher has no such token
 * @throws {LastTokenError} when no writing token without an end would be left
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
          where other.publisher_id = ${publisherId} and other.id <> ${id} and other.expires_at is null
            and other.access = 'WRITE'))
        returning api_tokens.id
      )
      select exists (select from found) as found, exists (select from ended) as ended`),
  ]);
  if (!rows[0]?.found) throw new NotFoundError("Token", id);
  if (!rows[0].ended) throw new LastTokenError();
  return { value: null, outdated: [] };
};
