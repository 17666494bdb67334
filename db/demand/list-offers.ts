import { and, count, desc, eq, ilike, or } from "drizzle-orm";
import type { Manager } from "../accounts/actor.ts";
import type { Db } from "../core/client.ts";
import { containing, type Page } from "../core/paging.ts";
import { advertisers, offers } from "../schema/demand.ts";
import type { OfferStatus } from "../schema/values.ts";
import { managedBy } from "./advertisers.ts";
import { shownOffer } from "./offers.ts";

/** Says which offers to list. */
export type OfferFilter = {
  status?: OfferStatus | undefined;
  advertiserId?: string | undefined;
  platformId?: string | undefined;
  search?: string | undefined;
};

/** Lists a manager's offers, newest first, and counts all of them. */
export const listOffers = async (db: Db, manager: Manager, filter: OfferFilter, page: Page) => {
  const text = filter.search === undefined ? undefined : containing(filter.search);
  const wanted = and(
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
  const from = eq(advertisers.id, offers.advertiserId);
  const [rows, [all]] = await db.batch([
    db
      .select(shownOffer)
      .from(offers)
      .innerJoin(advertisers, from)
      .where(wanted)
      .orderBy(desc(offers.createdAt), offers.id)
      .offset(page.skip)
      .limit(page.take),
    db.select({ total: count() }).from(offers).innerJoin(advertisers, from).where(wanted),
  ]);
  return { rows, total: all?.total ?? 0 };
};
