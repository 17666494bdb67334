import { and, count, desc, eq, ilike, or, sql, type SQL } from "drizzle-orm";
import type { Actor } from "../accounts/actor.ts";
import { withinReach } from "../accounts/reach.ts";
import type { Db } from "../core/client.ts";
import { containing, type Page } from "../core/paging.ts";
import { platforms, publishers } from "../schema/accounts.ts";
import { placements, sites } from "../schema/inventory.ts";
import type { PlacementStatus, PublisherStatus, SiteStatus } from "../schema/values.ts";

/** Says which part of a directory to list. What is left out limits nothing. */
export type DirectoryFilter<Status> = {
  id?: string | undefined;
  search?: string | undefined;
  status?: Status | undefined;
  adsEnabled?: boolean | undefined;
  publisherId?: string | undefined;
  platformId?: string | undefined;
  siteId?: string | undefined;
  isLiveMode?: boolean | undefined;
};

const equal = (column: Parameters<typeof eq>[0], value: string | boolean | undefined): SQL | undefined =>
  value === undefined ? undefined : eq(column, value);

/** Counts a publisher's or a site's placements, within a query of those. */
const placementsOf = (site: SQL) => ({
  placements: sql<number>`(select count(*)::int from placements p join sites s on s.id = p.site_id where ${site})`,
  activePlacements: sql<number>`(
    select count(*)::int from placements p join sites s on s.id = p.site_id where ${site} and p.status = 'active')`,
});

/** Lists the publishers within an actor's reach, newest first, and counts them. */
export const listPublisherDirectory = async (
  db: Db,
  actor: Actor,
  filter: DirectoryFilter<PublisherStatus>,
  page: Page,
) => {
  const text = filter.search === undefined ? undefined : containing(filter.search);
  const wanted = and(
    withinReach(actor),
    equal(publishers.id, filter.id),
    equal(publishers.status, filter.status),
    equal(publishers.adsEnabled, filter.adsEnabled),
    equal(publishers.platformId, filter.platformId),
    text === undefined
      ? undefined
      : or(ilike(publishers.name, text), ilike(publishers.contactName, text), ilike(publishers.contactEmail, text)),
  );
  const [rows, [all]] = await db.batch([
    db
      .select({
        id: publishers.id,
        name: publishers.name,
        contactName: publishers.contactName,
        contactEmail: publishers.contactEmail,
        contactPhone: publishers.contactPhone,
        status: publishers.status,
        adsEnabled: publishers.adsEnabled,
        elevatedLimits: publishers.elevatedLimits,
        platformId: publishers.platformId,
        platformName: platforms.name,
        sites: sql<number>`(select count(*)::int from sites s where s.publisher_id = ${publishers}.id)`,
        ...placementsOf(sql`s.publisher_id = ${publishers}.id`),
        createdAt: publishers.createdAt,
        updatedAt: publishers.updatedAt,
      })
      .from(publishers)
      .innerJoin(platforms, eq(platforms.id, publishers.platformId))
      .where(wanted)
      .orderBy(desc(publishers.createdAt), publishers.id)
      .offset(page.skip)
      .limit(page.take),
    db.select({ total: count() }).from(publishers).where(wanted),
  ]);
  return { rows, total: all?.total ?? 0 };
};

const owned = eq(publishers.id, sites.publisherId);

/** Lists the sites within an actor's reach, newest first, and counts them. */
export const listSiteDirectory = async (db: Db, actor: Actor, filter: DirectoryFilter<SiteStatus>, page: Page) => {
  const text = filter.search === undefined ? undefined : containing(filter.search);
  const wanted = and(
    withinReach(actor),
    equal(sites.id, filter.id),
    equal(sites.publisherId, filter.publisherId),
    equal(sites.status, filter.status),
    equal(sites.adsEnabled, filter.adsEnabled),
    text === undefined ? undefined : or(ilike(sites.name, text), ilike(sites.domain, text)),
  );
  const [rows, [all]] = await db.batch([
    db
      .select({
        id: sites.id,
        name: sites.name,
        domain: sites.domain,
        status: sites.status,
        adsEnabled: sites.adsEnabled,
        publisherId: sites.publisherId,
        publisherName: publishers.name,
        ...placementsOf(sql`s.id = ${sites}.id`),
        createdAt: sites.createdAt,
        updatedAt: sites.updatedAt,
      })
      .from(sites)
      .innerJoin(publishers, owned)
      .where(wanted)
      .orderBy(desc(sites.createdAt), sites.id)
      .offset(page.skip)
      .limit(page.take),
    db.select({ total: count() }).from(sites).innerJoin(publishers, owned).where(wanted),
  ]);
  return { rows, total: all?.total ?? 0 };
};

/** Lists the placements within an actor's reach, newest first, and counts them. */
export const listPlacementDirectory = async (
  db: Db,
  actor: Actor,
  filter: DirectoryFilter<PlacementStatus>,
  page: Page,
) => {
  const text = filter.search === undefined ? undefined : containing(filter.search);
  const wanted = and(
    withinReach(actor),
    equal(placements.id, filter.id),
    equal(placements.siteId, filter.siteId),
    equal(sites.publisherId, filter.publisherId),
    equal(placements.status, filter.status),
    equal(placements.isLiveMode, filter.isLiveMode),
    text === undefined ? undefined : or(ilike(placements.name, text), ilike(sites.name, text)),
  );
  const onSite = eq(sites.id, placements.siteId);
  const [rows, [all]] = await db.batch([
    db
      .select({
        id: placements.id,
        name: placements.name,
        pageType: placements.pageType,
        isLiveMode: placements.isLiveMode,
        status: placements.status,
        siteId: placements.siteId,
        siteName: sites.name,
        siteStatus: sites.status,
        siteAdsEnabled: sites.adsEnabled,
        publisherId: sites.publisherId,
        publisherName: publishers.name,
        createdAt: placements.createdAt,
        updatedAt: placements.updatedAt,
      })
      .from(placements)
      .innerJoin(sites, onSite)
      .innerJoin(publishers, owned)
      .where(wanted)
      .orderBy(desc(placements.createdAt), placements.id)
      .offset(page.skip)
      .limit(page.take),
    db.select({ total: count() }).from(placements).innerJoin(sites, onSite).innerJoin(publishers, owned).where(wanted),
  ]);
  return { rows, total: all?.total ?? 0 };
};
