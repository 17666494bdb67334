import { and, eq, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Manager } from "../../accounts/actor.ts";
import type { Db } from "../../core/client.ts";
import { offerCreatives } from "../../schema/creatives.ts";
import { advertisers, offers } from "../../schema/demand.ts";
import { managedBy } from "../advertisers.ts";
import { strangersIn, type Stranger } from "../named-places.ts";
import { selectCategories } from "../offers.ts";
import type { OfferRow } from "./rows.ts";

const ofOffer = {
  id: offers.id,
  advertiserId: offers.advertiserId,
  pricing: offers.pricing,
  bidMicros: offers.bidMicros,
  startsAt: offers.startsAt,
  endsAt: offers.endsAt,
  amountMin: offers.amountMin,
  amountMax: offers.amountMax,
  currencies: offers.currencies,
  pacing: offers.pacing,
  dailyCap: offers.dailyCap,
  lifetimeCap: offers.lifetimeCap,
};

type Columns = { [Column in keyof typeof ofOffer]: (typeof offers.$inferSelect)[Column] };
type FoundCreative = Pick<typeof offerCreatives.$inferSelect, "id" | "offerId" | "status">;

/** Holds those parts of an existing offer by which rows are judged. */
export type FoundOffer = Columns & { creatives: FoundCreative[] };

/** Holds what the rows of an import name, as far as it exists and is the manager's. */
export type Found = {
  advertisers: ReadonlySet<string>;
  offers: ReadonlyMap<string, FoundOffer>;
  categories: { id: string; name: string }[];
  strangers: ReadonlyMap<number, Stranger[]>;
};

/** Selects rows that have one of many ids: as one parameter, since there may be a thousand. */
export const isAmong = (column: PgColumn, ids: readonly string[]): SQL =>
  sql`${column} in (select jsonb_array_elements_text(${JSON.stringify([...new Set(ids)])}::jsonb))`;

/** Groups values by what names each. */
const grouped = <Name, Value>(values: readonly Value[], nameOf: (value: Value) => Name): Map<Name, Value[]> => {
  const groups = new Map<Name, Value[]>();
  for (const value of values) {
    const group = groups.get(nameOf(value));
    if (group) group.push(value);
    else groups.set(nameOf(value), [value]);
  }
  return groups;
};

/** Finds what the rows of an import name, in one round trip. */
export const findNamed = async (db: Db, manager: Manager, rows: readonly OfferRow[]): Promise<Found> => {
  const ids = rows.flatMap(({ id }) => (id === null ? [] : [id]));
  const owners = rows.flatMap((row) => (row.id === null ? [row.advertiserId] : []));
  const names = rows.flatMap((row) => (row.id === null ? row.input : row.change).categories ?? []);
  const wanted = rows.map((row) =>
    row.id === null
      ? { nr: row.nr, lists: row.input, of: { advertiserId: row.advertiserId } }
      : { nr: row.nr, lists: row.change, of: { offerId: row.id } },
  );
  const [own, found, creatives, categories, strangers] = await db.batch([
    db
      .select({ id: advertisers.id })
      .from(advertisers)
      .where(and(isAmong(advertisers.id, owners), managedBy(manager))),
    db
      .select(ofOffer)
      .from(offers)
      .innerJoin(advertisers, eq(advertisers.id, offers.advertiserId))
      .where(and(isAmong(offers.id, ids), managedBy(manager))),
    db
      .select({ id: offerCreatives.id, offerId: offerCreatives.offerId, status: offerCreatives.status })
      .from(offerCreatives)
      .where(isAmong(offerCreatives.offerId, ids)),
    selectCategories(db, [...new Set(names)]),
    db.execute<Stranger>(strangersIn(manager, wanted)),
  ]);
  const creativesOf = grouped(creatives, ({ offerId }) => offerId);
  return {
    advertisers: new Set(own.map(({ id }) => id)),
    offers: new Map(
      found.map((offer) => [offer.id, Object.assign(offer, { creatives: creativesOf.get(offer.id) ?? [] })]),
    ),
    categories,
    strangers: grouped(strangers.rows, ({ nr }) => nr),
  };
};
