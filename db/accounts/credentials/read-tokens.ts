import { and, count, desc, eq } from "drizzle-orm";
import type { Db } from "../../core/client.ts";
import { NotFoundError } from "../../core/errors.ts";
import type { Page } from "../../core/paging.ts";
import { resealIn } from "../../core/secrets/reseal.ts";
import { openSecret } from "../../core/secrets/sealed.ts";
import { tagOf } from "../../core/writing/tags.ts";
import { apiTokens } from "../../schema/accounts.ts";
import { exceeds, type Actor } from "../actor.ts";
import { isValid } from "./expiry.ts";
import { isPresent } from "../reach.ts";

/** Selects a private token without its bearer; `lastUsedOn` is a UTC day. */
const tokenShape = {
  id: apiTokens.id,
  name: apiTokens.name,
  access: apiTokens.access,
  revenueAccess: apiTokens.revenueAccess,
  grossAccess: apiTokens.grossAccess,
  createdAt: apiTokens.createdAt,
  expiresAt: apiTokens.expiresAt,
  lastUsedOn: apiTokens.lastUsedOn,
};

/** Selects one private token without its bearer, with its tag. */
export const taggedToken = { ...tokenShape, tag: tagOf(apiTokens) };

const ofPublisher = (publisherId: string) => and(eq(apiTokens.publisherId, publisherId), isValid(apiTokens.expiresAt));
const newestFirst = [desc(apiTokens.createdAt), apiTokens.id];

/** Makes the condition that a row is a publisher's valid token with this id. */
export const ownToken = (publisherId: string, id: string) =>
  and(eq(apiTokens.id, id), ofPublisher(publisherId), isPresent(publisherId));

/**
 * Lists a publisher's valid private tokens, newest first (API.md, "API token"). Each has its bearer, null if the token
 * has more access than the caller or the bearer is lost. It also returns how the bearers were opened.
 *
 * @param page all of them when undefined
 */
export const listApiTokens = async (
  db: Db,
  publisherId: string,
  actor: Actor,
  page: Page | undefined,
  encryptionKey: string,
) => {
  const all = db
    .select({ ...tokenShape, sealed: apiTokens.bearerCiphertext })
    .from(apiTokens)
    .where(ofPublisher(publisherId))
    .orderBy(...newestFirst);
  const rows = await (page ? all.offset(page.skip).limit(page.take) : all);
  const seen = rows.filter((token) => !exceeds(token, actor));
  const opened = await Promise.all(seen.map(({ id, sealed }) => openSecret(id, sealed, encryptionKey)));
  const bearers = new Map(opened.map(({ id, secret }) => [id, secret]));
  const value = rows.map((token) => ({
    id: token.id,
    name: token.name,
    bearer: bearers.get(token.id) ?? null,
    revenueAccess: token.revenueAccess,
    grossAccess: token.grossAccess,
    createdAt: token.createdAt,
  }));
  return { value, opened };
};

/** Replaces ciphertexts of bearers. */
export const resealTokens = resealIn("api_tokens", "bearer_ciphertext");

/** Lists a publisher's valid private tokens without their bearers, newest first, and counts them. */
export const listTokens = async (db: Db, publisherId: string, page: Page) => {
  const own = ofPublisher(publisherId);
  const [rows, [all]] = await db.batch([
    db
      .select(tokenShape)
      .from(apiTokens)
      .where(own)
      .orderBy(...newestFirst)
      .offset(page.skip)
      .limit(page.take),
    db.select({ total: count() }).from(apiTokens).where(own),
  ]);
  return { rows, total: all?.total ?? 0 };
};

/**
 * Finds a valid private token of a publisher.
 *
 * @throws {NotFoundError} when the publisher has no such token
 */
export const requireToken = async (db: Db, publisherId: string, id: string) => {
  const [token] = await db.select(taggedToken).from(apiTokens).where(ownToken(publisherId, id));
  if (!token) throw new NotFoundError("Token", id);
  return token;
};
