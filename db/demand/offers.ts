import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Manager } from "../accounts/actor.ts";
import { managedBy } from "./advertisers.ts";
import { holdCaps, judgeCaps, offersById, recountUsage } from "./caps/caps.ts";
import { usageSql, type OfferUsage } from "./caps/usage.ts";
import { holdAdvertisers } from "./hold-advertisers.ts";
import { refuseStrangers, strangersIn, type Stranger } from "./named-places.ts";
import { unlessKnown, type Db } from "../core/client.ts";
import { differing } from "../core/writing/differing.ts";
import {
  InvalidFieldError,
  NotFoundError,
  violatedCheck,
  violatesForeignKey,
  type FieldProblem,
} from "../core/errors.ts";
import { isId, newId } from "../core/ids.ts";
import { requireSame } from "../core/writing/same.ts";
import { requireTag, tagOf } from "../core/writing/tags.ts";
import { changedNetwork, networkStatements } from "../documents/network-change.ts";
import type { Changed } from "../documents/outdate.ts";
import { priorEcpm, priorEcpmOf } from "./pricing.ts";
import { categories } from "../schema/inventory.ts";
import { advertisers, offers } from "../schema/demand.ts";

type Columns = typeof offers.$inferInsert;

/** Holds what an offer's owner sets: its columns, and categories by their exact names. */
export type OfferInput = Omit<
  Columns,
  | "id"
  | "advertiserId"
  | "categoryIds"
  | "ecpmMicros"
  | "cappedThrough"
  | "taper"
  | "alternatives"
  | "createdAt"
  | "updatedAt"
  | "changedAt"
> & { categories?: string[] | undefined };

/** Holds what may change of an offer, and whose it is, which never changes. */
export type OfferChange = { [Column in keyof OfferInput]?: OfferInput[Column] | undefined } & {
  advertiserId?: string | undefined;
};

/** Says what the checks on combinations of columns mean, so that the rules themselves are only in the schema. */
export const COMBINATIONS: Record<string, FieldProblem> = {
  offers_dates_check: ["endsAt", "must be after startsAt"],
  offers_amount_check: ["targeting.amountMax", "must not be less than amountMin"],
  offers_amount_currency_check: ["targeting.currencies", "must be given with amountMin or amountMax"],
  offers_even_check: ["pacing", "EVEN needs a dailyCap, or a lifetimeCap and an endsAt"],
  offers_cpm_check: ["bidMicros", "must be a multiple of 1000 for CPM"],
};

const judged = (thrown: unknown): unknown => {
  const combination = COMBINATIONS[violatedCheck(thrown) ?? ""];
  return combination ? new InvalidFieldError(combination) : thrown;
};

const isManaged = (db: Db, manager: Manager) =>
  sql`${offers.advertiserId} in ${db.select({ id: advertisers.id }).from(advertisers).where(managedBy(manager))}`;

/** Selects an offer that a manager may manage. */
export const managedOffer = (db: Db, manager: Manager, id: string) => and(eq(offers.id, id), isManaged(db, manager));

/**
 * Selects categories by their names: as one parameter, since an import may name more than a query can have parameters.
 */
export const selectCategories = (db: Db, names: readonly string[]) =>
  db
    .select({ id: categories.id, name: categories.name })
    .from(categories)
    .where(sql`${categories.name} in (select jsonb_array_elements_text(${JSON.stringify(names)}::jsonb))`);

/**
 * Returns the ids of categories, one for each name.
 *
 * @throws {InvalidFieldError} that names all unknown categories
 */
export const idsOf = (names: readonly string[], found: { id: string; name: string }[]): string[] => {
  const ids = new Map(found.map((category) => [category.name, category.id]));
  const unknown = names.filter((name) => !ids.has(name));
  if (unknown.length > 0) {
    throw new InvalidFieldError(
      ...unknown.map((name) => ["targeting.categories", `has no category named ${name}`] as const),
    );
  }
  return names.flatMap((name) => ids.get(name) ?? []);
};

/** Selects an offer as it is shown: with the names of its categories, and its usage where it has a cap. */
export const shownOffer = {
  offer: offers,
  categories: sql<string[]>`(
    select coalesce(jsonb_agg(c.name order by c.name), '[]') from ${categories} c where c.id = any (${offers}.category_ids))`,
  usage: usageSql,
};

/**
 * Holds an offer with the names of the categories that it is for, and the usage of its caps, null where it has none.
 */
export type Offer = { offer: typeof offers.$inferSelect; categories: string[]; usage: OfferUsage | null };

/** Selects an offer as {@link shownOffer} does, with its advertiser, which the query joins. */
export const shownOwned = {
  ...shownOffer,
  advertiser: { id: advertisers.id, name: advertisers.name, status: advertisers.status },
};

/** Holds an offer with its advertiser. */
export type OwnedOffer = Offer & { advertiser: Pick<typeof advertisers.$inferSelect, "id" | "name" | "status"> };

/** Holds one offer with its advertiser and its tag. */
export type TaggedOffer = OwnedOffer & { tag: string };

/** Joins offers with their advertisers. */
export const ownedBy = eq(advertisers.id, offers.advertiserId);

const readOffer = (db: Db, wanted: SQL | undefined) =>
  db
    .select({ ...shownOwned, tag: tagOf(offers) })
    .from(offers)
    .innerJoin(advertisers, ownedBy)
    .where(wanted);

/** Tells whether this batch has updated an offer. */
const wasUpdated = (id: string): SQL =>
  sql`exists (select from ${offers} where ${offers.id} = ${id} and ${offers.updatedAt} = now()::timestamptz(3))`;

/**
 * Makes an offer.
 *
 * @throws {NotFoundError} when the advertiser is not the manager's
 * @throws {InvalidFieldError} when values contradict each other, or lists name ids that they may not
 */
export const createOffer = async (
  db: Db,
  manager: Manager,
  advertiserId: string,
  { categories: names = [], ...input }: OfferInput,
): Promise<Changed<TaggedOffer>> => {
  const categoryIds = await unlessKnown(db, async () => {
    const [[owner], found, strangers] = await db.batch([
      db
        .select({ id: advertisers.id })
        .from(advertisers)
        .where(and(eq(advertisers.id, advertiserId), managedBy(manager))),
      selectCategories(db, names),
      db.execute<Stranger>(strangersIn(manager, [{ nr: 0, lists: input, of: { advertiserId } }])),
    ]);
    const ids = idsOf(names, found);
    if (!owner) throw new NotFoundError("Advertiser", advertiserId);
    refuseStrangers(strangers.rows);
    return ids;
  });
  const id = newId("offer");
  const ecpmMicros = priorEcpm(input.pricing, input.bidMicros);
  try {
    const [, noted, built, [offer]] = await db.change([
      db.insert(offers).values({ ...input, id, advertiserId, ecpmMicros, categoryIds: categoryIds ?? [] }),
      ...networkStatements(db),
      readOffer(db, eq(offers.id, id)),
    ]);
    if (!offer) throw new Error("an insert returned nothing");
    return changedNetwork(offer, noted, built);
  } catch (error) {
    throw violatesForeignKey(error) ? new NotFoundError("Advertiser", advertiserId) : judged(error);
  }
};

/** Returns an offer of a manager, with its advertiser. */
export const requireOffer = async (db: Db, manager: Manager, id: string): Promise<TaggedOffer> => {
  const [offer] = await readOffer(db, managedOffer(db, manager, id));
  if (!offer) throw new NotFoundError("Offer", id);
  return offer;
};

/**
 * Changes an offer; from then on the edge decides by its new state.
 *
 * @throws {NotFoundError} when it is not the manager's
 * @throws {InvalidFieldError} when values contradict each other, lists gain ids that they may not, or the advertiser
 *   sent along is another one
 */
export const updateOffer = async (
  db: Db,
  manager: Manager,
  id: string,
  { categories: names, advertiserId, ...change }: OfferChange,
): Promise<Changed<TaggedOffer>> => {
  const categoryIds = names && idsOf(names, await selectCategories(db, names));
  // Only now: a body that breaks a rule is refused first.
  if (!isId("offer", id)) throw new NotFoundError("Offer", id);
  const { pricing, bidMicros } = change;
  // The batch locks only the manager's own offer, so it must not judge another.
  const own = sql`select ${offers.id} from ${offers} where ${managedOffer(db, manager, id)}`;
  const isCapping = typeof change.dailyCap === "number" || typeof change.lifetimeCap === "number";
  const ecpmMicros =
    pricing === undefined && bidMicros === undefined
      ? undefined
      : priorEcpmOf(
          pricing === undefined ? offers.pricing : sql`${pricing}::text`,
          bidMicros === undefined ? offers.bidMicros : sql`${bidMicros}::bigint`,
        );
  try {
    const update = db
      .update(offers)
      .set({ ...change, categoryIds, ecpmMicros, updatedAt: sql`now()` })
      .where(
        and(
          managedOffer(db, manager, id),
          advertiserId === undefined ? undefined : eq(offers.advertiserId, advertiserId),
          differing(offers, { ...change, categoryIds }),
          sql`not exists (select from strangers)`,
        ),
      );
    const capped = isCapping ? own : offersById([]);
    const [, , , , , strangers, , [offer], noted, built] = await db.batch([
      // What the lists already have may stay, so nobody else may change them meanwhile.
      db
        .select({ id: offers.id })
        .from(offers)
        .where(managedOffer(db, manager, id))
        .for("no key update"),
      requireTag(db, offers, managedOffer(db, manager, id)),
      holdAdvertisers(db, own),
      holdCaps(db, capped),
      recountUsage(db, capped),
      db.execute<Stranger>(sql`
        with strangers as materialized (${strangersIn(manager, [{ nr: 0, lists: change, of: { offerId: id } }])}), written as ${update}
        select nr, field, id from strangers`),
      judgeCaps(db, own),
      readOffer(db, managedOffer(db, manager, id)),
      ...networkStatements(db, wasUpdated(id)),
    ]);
    if (!offer) throw new NotFoundError("Offer", id);
    requireSame("advertiserId", offer.offer.advertiserId, advertiserId);
    refuseStrangers(strangers.rows);
    return changedNetwork(offer, noted, built);
  } catch (error) {
    throw judged(error);
  }
};
