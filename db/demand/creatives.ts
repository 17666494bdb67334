import { and, asc, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { Manager } from "../accounts/actor.ts";
import { unlessKnown, type Db } from "../core/client.ts";
import { differing } from "../core/writing/differing.ts";
import { CreativesFullError, NotFoundError, violatedCheck, violatesForeignKey } from "../core/errors.ts";
import { isId, newId } from "../core/ids.ts";
import { requireSame } from "../core/writing/same.ts";
import { requireTag, tagOf } from "../core/writing/tags.ts";
import { changedNetwork, networkStatements } from "../documents/network-change.ts";
import type { Changed } from "../documents/outdate.ts";
import { offerCreatives } from "../schema/creatives.ts";
import { offers } from "../schema/demand.ts";
import { managedOffer } from "./offers.ts";

type Columns = typeof offerCreatives.$inferInsert;

/** Holds a creative as it is shown. */
export type Creative = typeof offerCreatives.$inferSelect;

/** Holds one creative with its tag. */
export type TaggedCreative = Creative & { tag: string };

/** Holds what the owner of an offer sets of a creative. */
export type CreativeInput = Omit<Columns, "id" | "offerId" | "number" | "version" | "createdAt" | "updatedAt">;

/** Holds what may change of a creative, and whose it is, which never changes. */
export type CreativeChange = { [Column in keyof CreativeInput]?: CreativeInput[Column] | undefined } & {
  offerId?: string | undefined;
};

/** Names the checks that an offer with too many creatives breaks: too many at once, or ever. */
const FULL: Record<string, "once" | "ever"> = {
  offer_creatives_room_check: "once",
  offer_creatives_number_check: "ever",
};

/**
 * Returns an error saying that an offer has no room for a creative, if a query failed for that; otherwise the failure
 * itself.
 */
const judgedRoom = (thrown: unknown): unknown => {
  const full = FULL[violatedCheck(thrown) ?? ""];
  return full ? new CreativesFullError(full) : thrown;
};

const ofOffer = (db: Db, manager: Manager, offerId: string) =>
  db
    .select({ id: offers.id })
    .from(offers)
    .where(managedOffer(db, manager, offerId));

const isManaged = (db: Db, manager: Manager, offerId: string, id: string): SQL | undefined =>
  and(eq(offerCreatives.id, id), eq(offerCreatives.offerId, offerId), sql`exists (${ofOffer(db, manager, offerId)})`);

const readCreative = (db: Db, wanted: SQL | undefined) =>
  db
    .select({ ...getTableColumns(offerCreatives), tag: tagOf(offerCreatives) })
    .from(offerCreatives)
    .where(wanted);

/**
 * Adds a creative to an offer; the edge shows it within minutes.
 *
 * @throws {NotFoundError} when the offer is not the manager's
 * @throws {CreativesFullError} when the offer has four already, or has had a hundred
 */
export const createCreative = async (
  db: Db,
  manager: Manager,
  offerId: string,
  input: CreativeInput,
): Promise<Changed<TaggedCreative>> => {
  const id = newId("creative");
  const row = { ...input, id, offerId };
  await unlessKnown(db, async () => {
    const [offer] = await ofOffer(db, manager, offerId);
    if (!offer) throw new NotFoundError("Offer", offerId);
  });
  try {
    const [, noted, built, [creative]] = await db.change([
      db.insert(offerCreatives).values(row),
      ...networkStatements(db),
      readCreative(db, eq(offerCreatives.id, id)),
    ]);
    if (!creative) throw new Error("an insert returned nothing");
    return changedNetwork(creative, noted, built);
  } catch (error) {
    throw violatesForeignKey(error) ? new NotFoundError("Offer", offerId) : judgedRoom(error);
  }
};

/** Lists the further creatives of an offer by number. */
export const listCreatives = async (db: Db, manager: Manager, offerId: string): Promise<Creative[]> => {
  const [[offer], creatives] = await db.batch([
    ofOffer(db, manager, offerId),
    db.select().from(offerCreatives).where(eq(offerCreatives.offerId, offerId)).orderBy(asc(offerCreatives.number)),
  ]);
  if (!offer) throw new NotFoundError("Offer", offerId);
  return creatives;
};

/** Returns a creative of an offer. */
export const requireCreative = async (
  db: Db,
  manager: Manager,
  offerId: string,
  id: string,
): Promise<TaggedCreative> => {
  const [[offer], [creative]] = await db.batch([
    ofOffer(db, manager, offerId),
    readCreative(db, isManaged(db, manager, offerId, id)),
  ]);
  if (!offer) throw new NotFoundError("Offer", offerId);
  if (!creative) throw new NotFoundError("Creative", id);
  return creative;
};

/**
 * Changes a creative. If it stops or leads elsewhere, the edge no longer shows the offer as it was; other changes reach
 * answers within minutes.
 *
 * @throws {NotFoundError} when it or its offer is not the manager's
 * @throws {CreativesFullError} when it is taken back from the archive into an offer that has four
 */
export const updateCreative = async (
  db: Db,
  manager: Manager,
  offerId: string,
  id: string,
  { offerId: sentOffer, ...change }: CreativeChange,
): Promise<Changed<TaggedCreative>> => {
  requireSame("offerId", offerId, sentOffer);
  // Only now: a body that breaks a rule is refused first.
  if (!isId("offer", offerId)) throw new NotFoundError("Offer", offerId);
  if (!isId("creative", id)) throw new NotFoundError("Creative", id);
  const isOwn = isManaged(db, manager, offerId, id);
  try {
    const [[offer], , , , [creative], noted, built] = await db.batch([
      // The offer is locked first, as a deletion does.
      ofOffer(db, manager, offerId).for("no key update"),
      db.select({ id: offerCreatives.id }).from(offerCreatives).where(isOwn).for("no key update"),
      requireTag(db, offerCreatives, isOwn),
      db
        .update(offerCreatives)
        .set({ ...change, updatedAt: sql`now()` })
        .where(and(isOwn, differing(offerCreatives, change))),
      readCreative(db, isOwn),
      ...networkStatements(
        db,
        sql`exists (select from offer_creatives c where c.id = ${id} and c.updated_at = now()::timestamptz(3))`,
      ),
    ]);
    if (!offer) throw new NotFoundError("Offer", offerId);
    if (!creative) throw new NotFoundError("Creative", id);
    return changedNetwork(creative, noted, built);
  } catch (error) {
    throw judgedRoom(error);
  }
};
