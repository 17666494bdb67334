import { and, count, desc, eq, ilike, sql, type SQL } from "drizzle-orm";
import type { Manager } from "../accounts/actor.ts";
import type { Db } from "../core/client.ts";
import { updateTime } from "../core/writing/differing.ts";
import {
  InvalidFieldError,
  NameTakenError,
  NotFoundError,
  violatedCheck,
  violatesForeignKey,
  violatesUnique,
} from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { requireSame } from "../core/writing/same.ts";
import { changedNetwork, networkStatements } from "../documents/network-change.ts";
import type { Changed } from "../documents/outdate.ts";
import { containing, type Page } from "../core/paging.ts";
import { advertisers } from "../schema/demand.ts";
import type { OfferStatus, Reach } from "../schema/values.ts";
import { resealIn } from "../core/secrets/reseal.ts";
import { encryptSecret, openMade, openSecret } from "../core/secrets/sealed.ts";
import { hashSecret, makeKey, pixelKeyOf } from "../core/secrets/secrets.ts";
import { tagOf } from "../core/writing/tags.ts";

const NAME_KEY = "advertisers_platform_name_key";
const NETWORK_CHECK = "advertisers_network_check";

const shape = {
  id: advertisers.id,
  name: advertisers.name,
  platformId: advertisers.platformId,
  status: advertisers.status,
  reach: advertisers.reach,
  createdAt: advertisers.createdAt,
  updatedAt: advertisers.updatedAt,
};

/** Selects one advertiser, with its tag. */
const tagged = { ...shape, tag: tagOf(advertisers) };

/** Selects the rows of `advertisers` that a manager may manage. */
export const managedBy = (manager: Manager): SQL | undefined =>
  manager.kind === "platform" ? eq(advertisers.platformId, manager.platformId) : undefined;

const managedAdvertiser = (manager: Manager, id: string) => and(eq(advertisers.id, id), managedBy(manager));

const makeSecret = async (id: string, encryptionKey: string) => {
  const secret = makeKey("conversion");
  return {
    secret,
    columns: {
      conversionSecretHash: await hashSecret(secret),
      conversionSecretCiphertext: await encryptSecret(secret, id, encryptionKey),
    },
  };
};

/**
 * Creates an advertiser with the secret by which its server reports conversions.
 *
 * @param platformId whose it is; null for the network's operator
 * @throws {NameTakenError} when the owner has an advertiser of that name
 * @throws {NotFoundError} when there is no such platform
 */
export const createAdvertiser = async (db: Db, platformId: string | null, name: string, encryptionKey: string) => {
  const id = newId("advertiser");
  const { columns } = await makeSecret(id, encryptionKey);
  const reach = platformId === null ? "NETWORK" : "PLATFORM";
  try {
    const [[made]] = await db.change([
      db
        .insert(advertisers)
        .values({ id, platformId, name, reach, ...columns })
        .returning({ ...tagged, sealed: advertisers.conversionSecretCiphertext }),
    ]);
    if (!made) throw new Error("an insert returned nothing");
    const { sealed, ...advertiser } = made;
    const conversionSecret = await openMade(advertiser.id, sealed, encryptionKey);
    const pixelKey = await pixelKeyOf(await hashSecret(conversionSecret));
    return { value: { ...advertiser, conversionSecret, pixelKey }, outdated: [] };
  } catch (error) {
    if (violatesForeignKey(error)) throw new NotFoundError("Platform", platformId ?? "");
    throw violatesUnique(error, NAME_KEY) ? new NameTakenError("Advertiser", name) : error;
  }
};

/** Says which advertisers to list. */
export type AdvertiserFilter = {
  status?: OfferStatus | undefined;
  platformId?: string | undefined;
  search?: string | undefined;
};

/** Lists a manager's advertisers, newest first, and counts all of them. */
export const listAdvertisers = async (db: Db, manager: Manager, filter: AdvertiserFilter, page: Page) => {
  const wanted = and(
    managedBy(manager),
    filter.status && eq(advertisers.status, filter.status),
    filter.platformId === undefined ? undefined : eq(advertisers.platformId, filter.platformId),
    filter.search === undefined ? undefined : ilike(advertisers.name, containing(filter.search)),
  );
  const [rows, [all]] = await db.batch([
    db
      .select(shape)
      .from(advertisers)
      .where(wanted)
      .orderBy(desc(advertisers.createdAt), advertisers.id)
      .offset(page.skip)
      .limit(page.take),
    db.select({ total: count() }).from(advertisers).where(wanted),
  ]);
  return { rows, total: all?.total ?? 0 };
};

/** Returns an advertiser with its keys, a lost secret as null, and how the secret was opened. */
export const requireAdvertiser = async (db: Db, manager: Manager, id: string, encryptionKey: string) => {
  const [found] = await db
    .select({ ...tagged, sealed: advertisers.conversionSecretCiphertext, hash: advertisers.conversionSecretHash })
    .from(advertisers)
    .where(managedAdvertiser(manager, id));
  if (!found) throw new NotFoundError("Advertiser", id);
  const { sealed, hash, ...advertiser } = found;
  const opened = await openSecret(id, sealed, encryptionKey);
  const value = { ...advertiser, conversionSecret: opened.secret, pixelKey: await pixelKeyOf(hash) };
  return { value, opened: [opened] };
};

/** Replaces ciphertexts of conversion secrets. */
export const resealAdvertisers = resealIn("advertisers", "conversion_secret_ciphertext");

/** Holds the tag of what was archived instead of deleted; null where it was deleted. */
export type Archived = { tag: string } | null;

/** Holds what may change of an advertiser, and whose it is, which never changes. */
export type AdvertiserChange = {
  name?: string | undefined;
  status?: OfferStatus | undefined;
  reach?: Reach | undefined;
  platformId?: string | null | undefined;
};

/**
 * Renames an advertiser, switches it, or opens it to the network; all its offers stop, resume or serve more widely with
 * it.
 *
 * @throws {NotFoundError} when it is not the manager's
 * @throws {NameTakenError} when the owner has another advertiser of that name
 * @throws {InvalidFieldError} when the reach is not the manager's to set or not possible for the network's own
 *   advertiser, or when another platform is sent along
 */
export const updateAdvertiser = async (
  db: Db,
  manager: Manager,
  id: string,
  { platformId, ...input }: AdvertiserChange,
) => {
  const isOwn = managedAdvertiser(manager, id);
  // A caller who may not set the reach may still send back its present value.
  const mayChange =
    manager.kind === "admin" || input.reach === undefined ? undefined : eq(advertisers.reach, input.reach);
  const isSameOwner =
    platformId === undefined ? undefined : sql`${advertisers.platformId} is not distinct from ${platformId}`;
  try {
    const [, [found], [updated], noted, built] = await db.batch([
      db.execute(sql`
        select pg_advisory_xact_lock(hashtextextended('advertisers ' || coalesce(${advertisers.platformId}, ''), 0))
        from ${advertisers} where ${isOwn} and ${advertisers.name} <> ${input.name ?? null}::text`),
      db.select({ platformId: advertisers.platformId }).from(advertisers).where(isOwn),
      db
        .update(advertisers)
        .set({ ...input, updatedAt: updateTime(advertisers, input) })
        .where(and(isOwn, mayChange, isSameOwner))
        .returning(tagged),
      // A trigger keeps the time of changes that matter to the network's document.
      ...networkStatements(
        db,
        sql`exists (select from ${advertisers} where ${advertisers.id} = ${id} and ${advertisers.changedAt} >= now()::timestamptz(3))`,
      ),
    ]);
    if (!found) throw new NotFoundError("Advertiser", id);
    requireSame("platformId", found.platformId, platformId);
    if (!updated) throw new InvalidFieldError(["reach", "may only be changed by the administrator"]);
    return changedNetwork(updated, noted, built);
  } catch (error) {
    if (violatedCheck(error) === NETWORK_CHECK) {
      throw new InvalidFieldError(["reach", "must be NETWORK for an advertiser of the network's own"]);
    }
    throw violatesUnique(error, NAME_KEY) ? new NameTakenError("Advertiser", input.name ?? "") : error;
  }
};

/** Gives an advertiser a new conversion secret and pixel key; the old ones end at once. */
export const rotateConversionSecret = async (db: Db, manager: Manager, id: string, encryptionKey: string) => {
  const { secret, columns } = await makeSecret(id, encryptionKey);
  const [[updated]] = await db.change([
    db
      .update(advertisers)
      .set({ ...columns, updatedAt: sql`now()` })
      .where(managedAdvertiser(manager, id))
      .returning({ id: advertisers.id, tag: tagged.tag }),
  ]);
  if (!updated) throw new NotFoundError("Advertiser", id);
  const pixelKey = await pixelKeyOf(columns.conversionSecretHash);
  return { value: { ...updated, conversionSecret: secret, pixelKey }, outdated: [] };
};

/**
 * Deletes an advertiser that never had an offer, and archives one that had: hits of a deleted offer may still come, and
 * its revisions, which stay, name their advertiser as the owner.
 *
 * @returns the tag of one that was archived
 */
export const deleteAdvertiser = async (db: Db, manager: Manager, id: string): Promise<Changed<Archived>> => {
  const archive = { status: "archived" } as const;
  const [[locked], , [archived], noted, built] = await db.batch([
    db.select({ id: advertisers.id }).from(advertisers).where(managedAdvertiser(manager, id)).for("update"),
    db
      .delete(advertisers)
      .where(
        and(
          managedAdvertiser(manager, id),
          sql`not exists (select from offer_revisions r where r.advertiser_id = ${id})`,
        ),
      ),
    db
      .update(advertisers)
      .set({ ...archive, updatedAt: updateTime(advertisers, archive) })
      .where(managedAdvertiser(manager, id))
      .returning({ tag: tagged.tag }),
    ...networkStatements(db),
  ]);
  if (!locked) throw new NotFoundError("Advertiser", id);
  return changedNetwork(archived ?? null, noted, built);
};
