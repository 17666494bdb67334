import { and, count, desc, eq, ilike, or, type SQL } from "drizzle-orm";
import type { Manager } from "../accounts/actor.ts";
import type { Db } from "../core/client.ts";
import { containing, type Page } from "../core/paging.ts";
import { advertisers, offers } from "../schema/demand.ts";
import type { OfferStatus } from "../schema/values.ts";
import { managedBy } from "./advertisers.ts";
import { ownedBy, shownOwned } from "./offers.ts";

/** Says which offers to list. */
export type OfferFilter = {
  status?: OfferStatus | undefined;
  advertiserId?: string | undefined;
  platformId?: string | undefined;
  search?: string | undefined;
};

/** Makes the condition on offers and their advertisers that a manager's filter sets. */
export const wantedOffers = (manager: Manager, filter: OfferFilter): SQL | undefined => {
  const text = filter.search === undefined ? undefined : containing(filter.search);
  return and(
    managedBy(manager),
    filter.status && eq(offers.status, filter.status),
    filter.advertiserId === undefined ? undefined : eq(offers.advertiserId, filter.advertiserId),
    filter.platformId === undefined ? undefined : eq(advertisers.platformId, filter.platformId),
    text === undefined
      ? undefined
      : or(
          ilike(offers.name, text),
          ilike(offers.title, text),
          ilike(offers.header, text),
          ilike(offers.description, text),
        ),
  );
};

/** Lists a manager's offers with their advertisers, newest first, and counts all of them. */
export const listOffers = async (db: Db, manager: Manager, filter: OfferFilter, page: Page) => {
  const wanted = wantedOffers(manager, filter);
  const [rows, [all]] = await db.batch([
    db
      .select(shownOwned)
      .from(offers)
      .innerJoin(advertisers, ownedBy)
      .where(wanted)
      .orderBy(desc(offers.createdAt), offers.id)
      .offset(page.skip)
      .limit(page.take),
    db.select({ total: count() }).from(offers).innerJoin(advertisers, ownedBy).where(wanted),
  ]);
  return { rows, total: all?.total ?? 0 };
};
