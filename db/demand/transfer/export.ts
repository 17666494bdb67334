import { asc, getTableColumns, inArray } from "drizzle-orm";
import type { Manager } from "../../accounts/actor.ts";
import type { Db } from "../../core/client.ts";
import type { Page } from "../../core/paging.ts";
import { offerCreatives } from "../../schema/creatives.ts";
import { advertisers, offers } from "../../schema/demand.ts";
import type { Creative } from "../creatives.ts";
import { wantedOffers, type OfferFilter } from "../list-offers.ts";
import { ownedBy, shownOffer, type Offer } from "../offers.ts";

/** Reads a manager's offers with their further creatives, the oldest first, so that new offers do not shift pages. */
export const exportOffers = async (
  db: Db,
  manager: Manager,
  filter: OfferFilter,
  page: Page,
): Promise<(Offer & { creatives: Creative[] })[]> => {
  const ids = db
    .select({ id: offers.id })
    .from(offers)
    .innerJoin(advertisers, ownedBy)
    .where(wantedOffers(manager, filter))
    .orderBy(asc(offers.createdAt), asc(offers.id))
    .offset(page.skip)
    .limit(page.take);
  const [rows, creatives] = await db.batch([
    db.select(shownOffer).from(offers).where(inArray(offers.id, ids)).orderBy(asc(offers.createdAt), asc(offers.id)),
    db
      .select(getTableColumns(offerCreatives))
      .from(offerCreatives)
      .where(inArray(offerCreatives.offerId, ids))
      .orderBy(asc(offerCreatives.offerId), asc(offerCreatives.number)),
  ]);
  const of = new Map<string, Creative[]>();
  for (const creative of creatives) of.set(creative.offerId, [...(of.get(creative.offerId) ?? []), creative]);
  return rows.map((row) => Object.assign(row, { creatives: of.get(row.offer.id) ?? [] }));
};
