import { and, count, desc, eq, sql } from "drizzle-orm";
import { withinReach, type Actor, type PublisherActor } from "./actor.ts";
import type { Db } from "../core/client.ts";
import type { DocumentKey } from "../documents/keys.ts";
import {
  ActivePlacementsError,
  EmailTakenError,
  ForeignError,
  NameTakenError,
  NotFoundError,
  violatesUnique,
} from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { jsonTime, type Page } from "../core/paging.ts";
import { apiTokens, publicKeys, publishers } from "../schema/accounts.ts";
import { sites } from "../schema/inventory.ts";
import { makeKey } from "../core/secrets.ts";
import { makeApiToken } from "./tokens.ts";

const NAME_KEY = "publishers_name_unique";

/** What a publisher is called and whom to talk to. */
export type PublisherInput = {
  name: string;
  contactName: string;
  contactEmail: string;
  contactPhone?: string | undefined;
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

type SiteSummary = { id: string; name: string; createdAt: string };

/** The sites of a publisher, newest first, within the publisher's own query. */
const withSites = {
  sites: sql<SiteSummary[]>`(
    select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'createdAt', ${jsonTime(sql`s.created_at`)})
      order by s.created_at desc, s.id), '[]')
    from ${sites} s where s.publisher_id = ${publishers}.id)`,
};

/**
 * Makes a publisher with its first public key and private token, all or nothing.
 *
 * @throws {NameTakenError} when another publisher has the name
 */
export const createPublisher = async (db: Db, platformId: string, input: PublisherInput, encryptionKey: string) => {
  const id = newId("publisher");
  const publicKey = makeKey("public");
  const { bearer, row } = await makeApiToken(id, "Default API Token", encryptionKey);
  try {
    const [[publisher], , [token]] = await db.batch([
      db
        .insert(publishers)
        .values({ id, platformId, ...input })
        .returning(summary),
      db.insert(publicKeys).values({ key: publicKey, publisherId: id }),
      db
        .insert(apiTokens)
        .values(row)
        .returning({ id: apiTokens.id, name: apiTokens.name, createdAt: apiTokens.createdAt }),
    ]);
    if (!publisher || !token) throw new Error("an insert returned nothing");
    const { createdAt, ...named } = token;
    return { ...publisher, publicKeys: [publicKey], privateKeys: [{ ...named, bearer, createdAt }] };
  } catch (error) {
    throw violatesUnique(error, NAME_KEY) ? new NameTakenError("Publisher", input.name) : error;
  }
};

/** A platform's publishers, newest first, and how many there are. */
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

/** The publisher that a token belongs to. */
export const requireOwnPublisher = async (db: Db, actor: PublisherActor, relations: boolean) => {
  const [publisher] = await db
    .select(relations ? { ...summary, ...withSites } : summary)
    .from(publishers)
    .where(eq(publishers.id, actor.publisherId));
  if (!publisher) throw new NotFoundError("Publisher", actor.publisherId);
  return publisher;
};

/**
 * Makes sure that an actor may reach a publisher. Its own needs no look-up.
 *
 * @throws {NotFoundError} when there is no such publisher
 * @throws {ForeignError} when it is out of the actor's reach
 */
export const requireReach = async (db: Db, actor: Actor, id: string): Promise<void> => {
  if (actor.kind === "publisher" && actor.publisherId === id) return;
  const [found] = await db
    .select({ reachable: sql<boolean>`${withinReach(actor)}` })
    .from(publishers)
    .where(eq(publishers.id, id));
  if (!found) throw new NotFoundError("Publisher", id);
  if (!found.reachable) throw new ForeignError("publisher is out of reach");
};

/**
 * A publisher with its contacts.
 *
 * @throws as {@link requireReach}
 */
export const requirePublisher = async (db: Db, actor: Actor, id: string, relations: boolean) => {
  const [found] = await db
    .select({ ...detail, ...(relations ? withSites : {}), reachable: sql<boolean>`${withinReach(actor)}` })
    .from(publishers)
    .where(eq(publishers.id, id));
  if (!found) throw new NotFoundError("Publisher", id);
  const { reachable, ...publisher } = found;
  if (!reachable) throw new ForeignError("publisher is out of reach");
  return publisher;
};

/**
 * Keeps a publisher, and so what it owns, from deletion until the batch ends. It comes before any lock on what the
 * publisher owns, because the deletion locks in that order too; the other way round they would deadlock.
 *
 * @param strength `no key update` also makes batches of this strength wait for each other
 */
export const holdPublisher = (db: Db, id: string, strength: "key share" | "no key update" = "key share") =>
  db.select({ id: publishers.id }).from(publishers).where(eq(publishers.id, id)).for(strength);

/**
 * Changes a publisher's name and contacts, one publisher after the other: two that swap names would deadlock, and two
 * that take one address would both find it free.
 *
 * @throws {NotFoundError} when there is no such publisher
 * @throws {NameTakenError} when another publisher has the name
 * @throws {EmailTakenError} when another publisher has the e-mail and this one has not had it before
 */
export const updatePublisher = async (
  db: Db,
  id: string,
  input: { [K in keyof PublisherInput]?: PublisherInput[K] | undefined },
) => {
  const email = input.contactEmail;
  const free =
    email === undefined
      ? undefined
      : sql`(lower(${publishers.contactEmail}) = lower(${email}) or not exists (
          select from ${publishers} other where lower(other.contact_email) = lower(${email}) and other.id <> ${id}))`;
  try {
    const [, [found], [updated]] = await db.batch([
      db.execute(sql`select pg_advisory_xact_lock(hashtextextended('publishers', 0))`),
      holdPublisher(db, id),
      db
        .update(publishers)
        .set({ ...input, updatedAt: sql`now()` })
        .where(and(eq(publishers.id, id), free))
        .returning(summary),
    ]);
    if (!found) throw new NotFoundError("Publisher", id);
    if (!updated) throw new EmailTakenError("e-mail is taken");
    return updated;
  } catch (error) {
    throw violatesUnique(error, NAME_KEY) ? new NameTakenError("Publisher", input.name ?? "") : error;
  }
};

/** Sets whether a publisher may switch its sites more often than others. */
export const setPublisherLimits = async (db: Db, id: string, elevatedLimits: boolean) => {
  const [updated] = await db
    .update(publishers)
    .set({ elevatedLimits, updatedAt: sql`now()` })
    .where(eq(publishers.id, id))
    .returning({ id: publishers.id, name: publishers.name, elevatedLimits: publishers.elevatedLimits });
  if (!updated) throw new NotFoundError("Publisher", id);
  return updated;
};

/**
 * Deletes a publisher with everything below it, unless placements are active. The lock comes first, so that whoever
 * activates a placement at the same time either is seen or finds the publisher gone.
 *
 * @returns the documents that are outdated
 * @throws {NotFoundError} when the publisher is gone
 * @throws {ActivePlacementsError} when placements are active
 */
export const deletePublisher = async (db: Db, id: string): Promise<DocumentKey[]> => {
  const [[locked], result] = await db.batch([
    db.select({ id: publishers.id }).from(publishers).where(eq(publishers.id, id)).for("update"),
    db.execute<{ active: string; documents: DocumentKey[] }>(sql`
      with placed as (
        select p.id, p.status from placements p join sites s on s.id = p.site_id where s.publisher_id = ${id}
      ), active as (
        select count(*) as n from placed where status = 'active'
      ), keys as (
        select key from public_keys where publisher_id = ${id}
      ), deleted as (
        delete from publishers where id = ${id} and (select n from active) = 0 returning id
      ), outdated as (
        insert into publish_outbox (document_key)
        select document_key from (
          select 'key:' || key from keys union all select 'placement:' || id from placed
        ) below (document_key) where exists (select from deleted)
        returning document_key
      )
      select (select n from active) as active, (select coalesce(jsonb_agg(document_key), '[]') from outdated) as documents`),
  ]);
  if (!locked) throw new NotFoundError("Publisher", id);
  const outcome = result.rows[0];
  if (Number(outcome?.active) > 0) throw new ActivePlacementsError(Number(outcome?.active));
  return outcome?.documents ?? [];
};
