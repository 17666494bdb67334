import { and, count, desc, eq, or, sql } from "drizzle-orm";
import type { Db } from "../../core/client.ts";
import { updateTime } from "../../core/writing/differing.ts";
import { outdate, outdatedBy, type Changed } from "../../documents/outdate.ts";
import { EmailTakenError, NameTakenError, NotFoundError, violatesUnique } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { openMade } from "../../core/secrets/sealed.ts";
import { jsonTime, newest, type Page } from "../../core/paging.ts";
import { tagOf } from "../../core/writing/tags.ts";
import { apiTokens, publicKeys, publishers } from "../../schema/accounts.ts";
import { sites } from "../../schema/inventory.ts";
import { makeKey } from "../../core/secrets/secrets.ts";
import { makeApiToken } from "../credentials/api-tokens.ts";
import { publicKeysOf } from "./publisher-order.ts";
import { holdPublisher } from "../hold.ts";
import { requireDeleted, type DeletedRow } from "./deleting.ts";
import { removalStep } from "./removal.ts";

const NAME_KEY = "publishers_name_unique";

/** Holds a publisher's name and contacts. */
export type PublisherInput = {
  name: string;
  contactName: string;
  contactEmail: string;
  contactPhone?: string | undefined;
};

/** Holds what a change sets of a publisher; null removes its phone. */
export type PublisherChange = {
  [Field in keyof PublisherInput]?:
    | PublisherInput[Field]
    | (Field extends "contactPhone" ? null | undefined : undefined);
};

const summary = {
  id: publishers.id,
  name: publishers.name,
  createdAt: publishers.createdAt,
  updatedAt: publishers.updatedAt,
};

const detail = {
  id: publishers.id,
  name: publishers.name,
  contactName: publishers.contactName,
  contactEmail: publishers.contactEmail,
  contactPhone: publishers.contactPhone,
  createdAt: publishers.createdAt,
  updatedAt: publishers.updatedAt,
  status: publishers.status,
};

/** Selects the tag of a publisher, where an answer shows a single one. */
const tag = tagOf(publishers);

type SiteSummary = { id: string; name: string; createdAt: string };

/** Selects the newest sites of a publisher, newest first, within a query of publishers. */
const withSites = {
  sites: sql<SiteSummary[]>`(
    select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'createdAt', ${jsonTime(sql`s.created_at`)})
      order by s.created_at desc, s.id), '[]')
    from (${newest(sites, sql`publisher_id = ${publishers}.id`)}) s)`,
};

/**
 * Creates a publisher with its first public key and private token, all or nothing.
 *
 * @throws {NameTakenError} when another publisher has the name
 */
export const createPublisher = async (db: Db, platformId: string, input: PublisherInput, encryptionKey: string) => {
  const id = newId("publisher");
  const publicKey = makeKey("public");
  const { row } = await makeApiToken(id, "Default API Token", encryptionKey);
  try {
    const [, , , [made]] = await db.change([
      db.insert(publishers).values({ id, platformId, ...input }),
      db.insert(publicKeys).values({ key: publicKey, publisherId: id }),
      db.insert(apiTokens).values(row),
      db
        .select({
          publisher: { ...summary, tag },
          publicKey: publicKeys.key,
          token: { id: apiTokens.id, name: apiTokens.name, createdAt: apiTokens.createdAt },
          sealed: apiTokens.bearerCiphertext,
        })
        .from(publishers)
        .innerJoin(apiTokens, eq(apiTokens.publisherId, publishers.id))
        .innerJoin(publicKeys, eq(publicKeys.publisherId, publishers.id))
        .where(eq(publishers.id, id)),
    ]);
    if (!made) throw new Error("an insert left nothing");
    const { publisher, token } = made;
    const bearer = await openMade(token.id, made.sealed, encryptionKey);
    const privateKey = { id: token.id, name: token.name, bearer, createdAt: token.createdAt };
    return { value: { ...publisher, publicKeys: [made.publicKey], privateKeys: [privateKey] }, outdated: [] };
  } catch (error) {
    throw violatesUnique(error, NAME_KEY) ? new NameTakenError("Publisher", input.name) : error;
  }
};

/** Lists a platform's publishers, newest first, and counts them. */
export const listPublishers = async (db: Db, platformId: string, page: Page, relations: boolean) => {
  const own = eq(publishers.platformId, platformId);
  const [rows, [all]] = await db.batch([
    db
      .select(relations ? { ...summary, ...withSites } : summary)
      .from(publishers)
      .where(own)
      .orderBy(desc(publishers.createdAt), publishers.id)
      .offset(page.skip)
      .limit(page.take),
    db.select({ total: count() }).from(publishers).where(own),
  ]);
  return { rows, total: all?.total ?? 0 };
};

/**
 * Finds a publisher as the list shows it.
 *
 * @throws {NotFoundError} when it is gone
 */
export const requirePublisherSummary = async (db: Db, id: string, relations: boolean) => {
  const [publisher] = await db
    .select({ ...summary, tag, ...(relations ? withSites : {}) })
    .from(publishers)
    .where(eq(publishers.id, id));
  if (!publisher) throw new NotFoundError("Publisher", id);
  return publisher;
};

/**
 * Finds a publisher with its contacts.
 *
 * @throws {NotFoundError} when there is no such publisher
 */
export const requirePublisher = async (db: Db, id: string, relations: boolean) => {
  const [publisher] = await db
    .select({ ...detail, tag, ...(relations ? withSites : {}) })
    .from(publishers)
    .where(eq(publishers.id, id));
  if (!publisher) throw new NotFoundError("Publisher", id);
  return publisher;
};

/**
 * Changes a publisher's name and contacts. Publishers change one after the other: two that swap names would deadlock,
 * and two that take one address would both find it free. The batch first waits for everything else that is done with
 * this publisher, so that the other publishers do not wait for that.
 *
 * @throws {NotFoundError} when there is no such publisher
 * @throws {NameTakenError} when another publisher has the name
 * @throws {EmailTakenError} when another publisher has the e-mail address and this one did not have it already
 */
export const updatePublisher = async (db: Db, id: string, input: PublisherChange) => {
  const email = input.contactEmail;
  const hasEmail =
    email === undefined ? sql<boolean>`true` : sql<boolean>`lower(${publishers.contactEmail}) = lower(${email})`;
  const isFree = sql`not exists (
    select from ${publishers} other where lower(other.contact_email) = lower(${email ?? null}) and other.id <> ${id})`;
  try {
    const [, , , [found]] = await db.batch([
      // A name is part of a unique key, which nobody may refer to while it changes.
      holdPublisher(db, id, input.name === undefined ? "no key update" : "update"),
      db.execute(sql`select pg_advisory_xact_lock(hashtextextended('publishers', 0))`),
      db
        .update(publishers)
        .set({ ...input, updatedAt: updateTime(publishers, input) })
        .where(and(eq(publishers.id, id), or(hasEmail, isFree))),
      // A publisher whose change failed because of the address still has another one.
      db
        .select({ publisher: { ...summary, tag }, hasEmail })
        .from(publishers)
        .where(eq(publishers.id, id)),
    ]);
    if (!found) throw new NotFoundError("Publisher", id);
    if (!found.hasEmail) throw new EmailTakenError();
    return { value: found.publisher, outdated: [] };
  } catch (error) {
    throw violatesUnique(error, NAME_KEY) ? new NameTakenError("Publisher", input.name ?? "") : error;
  }
};

/** Sets whether a publisher may switch its sites more often than others. */
export const setPublisherLimits = async (db: Db, id: string, elevatedLimits: boolean) => {
  const [updated] = await db
    .update(publishers)
    .set({ elevatedLimits, updatedAt: updateTime(publishers, { elevatedLimits }) })
    .where(eq(publishers.id, id))
    .returning({ id: publishers.id, name: publishers.name, elevatedLimits: publishers.elevatedLimits, tag });
  if (!updated) throw new NotFoundError("Publisher", id);
  return { value: updated, outdated: [] };
};

/**
 * Deletes a publisher with everything below it, unless placements are active. The lock comes first, so that a placement
 * that is activated at the same time is either seen, or its request finds the publisher gone.
 *
 * From then on nothing below it can be reached, and nothing serves. What one step does not remove, the cron does.
 *
 * @throws {NotFoundError} when the publisher is gone
 * @throws {ActivePlacementsError} when placements are active
 */
export const deletePublisher = async (db: Db, id: string): Promise<Changed<null>> => {
  const isGone = sql`not exists (select from publishers p where p.id = ${id})`;
  const [, deleted, outdated] = await db.batch([
    holdPublisher(db, id, "update"),
    db.execute<DeletedRow>(sql`
      with active as (
        select count(*)::int as n from sites s join placements p on p.site_id = s.id
        where s.publisher_id = ${id} and p.status = 'active'
      ), deleted as (
        delete from publishers where id = ${id} and (select n from active) = 0
      )
      select (select n from active) as active, exists (select from publishers where id = ${id}) as found`),
    outdate(db, sql`${publicKeysOf(id)} and ${isGone}`),
    ...removalStep(db, id),
  ]);
  requireDeleted("Publisher", id, deleted);
  return { value: null, outdated: outdatedBy(outdated) };
};
