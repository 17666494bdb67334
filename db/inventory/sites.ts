import { and, count, desc, eq, sql, type SQL } from "drizzle-orm";
import { unlessKnown, type Db } from "../core/client.ts";
import { differing, updateTime } from "../core/writing/differing.ts";
import { documentKeySql } from "../documents/keys.ts";
import { outdate, outdatedBy, type Changed } from "../documents/outdate.ts";
import {
  NameTakenError,
  NotFoundError,
  UnknownCategoryError,
  violatesForeignKey,
  violatesUnique,
} from "../core/errors.ts";
import { isId, newId } from "../core/ids.ts";
import type { Page } from "../core/paging.ts";
import { requireDeleted, type DeletedRow } from "../accounts/publishers/deleting.ts";
import { holdPublisher } from "../accounts/hold.ts";
import { isPresent } from "../accounts/reach.ts";
import { removalStep } from "../accounts/publishers/removal.ts";
import { categories, sites } from "../schema/inventory.ts";
import { recordZone, type NewZone } from "./partner-zones.ts";
import { detail, relations, stats, summary } from "./site-columns.ts";
import type { AGE_DEMOGRAPHICS, GENDER_DEMOGRAPHICS, SiteStatus } from "../schema/values.ts";

const NAME_KEY = "sites_publisher_name_key";

/** Holds what the owner sets of a site; `status` is `pending` only when none was given. */
export type SiteInput = {
  name: string;
  description?: string | undefined;
  orderVolume?: number | undefined;
  averageOrder?: number | undefined;
  ageDemographics?: (typeof AGE_DEMOGRAPHICS)[number] | undefined;
  genderDemographics?: (typeof GENDER_DEMOGRAPHICS)[number] | undefined;
  domain?: string | undefined;
  status?: SiteStatus | undefined;
  categoryName?: string | undefined;
};

/** Holds what a change sets of a site; null removes an optional member. */
export type SiteChange = {
  [Field in keyof SiteInput]?: SiteInput[Field] | (Field extends "name" | "status" ? undefined : null | undefined);
};

/**
 * Finds the id of the category with exactly this name.
 *
 * @throws {UnknownCategoryError} when there is none
 */
const categoryIdOf = async <None extends null | undefined>(db: Db, name: string | None): Promise<string | None> => {
  if (typeof name !== "string") return name;
  // Postgres stores neither NUL nor half a surrogate pair in a text, and refuses to search for them.
  if (name.includes("\0") || !name.isWellFormed()) throw new UnknownCategoryError(name);
  const [category] = await db.select({ id: categories.id }).from(categories).where(eq(categories.name, name));
  if (!category) throw new UnknownCategoryError(name);
  return category.id;
};

/**
 * Creates a site, or finds the publisher's site of that name and leaves it as it is. The same request may come many
 * times at once.
 *
 * @param zone how to record the job that asks the partner's ad server for a zone; none is recorded without it
 * @returns the site; whether it is new, and then its id, unless an earlier call of the same request created it
 * @throws {UnknownCategoryError} when no category has the name
 * @throws {NotFoundError} when the publisher is gone
 */
export const createSite = async (
  db: Db,
  publisherId: string,
  { categoryName, ...input }: SiteInput,
  zone: NewZone | undefined,
) => {
  const id = newId("site");
  const categoryId = await unlessKnown(db, () => categoryIdOf(db, categoryName));
  const insert = db
    .insert(sites)
    .values({ id, publisherId, categoryId, ...input })
    .onConflictDoUpdate({ target: [sites.publisherId, sites.name], set: { name: sql`excluded.name` } });
  const answer = db
    .select({ site: detail, isNew: sql<boolean>`${sites.id} = ${id}` })
    .from(sites)
    .where(and(eq(sites.publisherId, publisherId), eq(sites.name, input.name)));
  try {
    const [, , [made]] = await db.change([insert, recordZone(db, id, zone), answer]);
    if (!made) throw new Error("an insert left nothing");
    return { value: { ...made, newSite: made.site.id === id ? id : null }, outdated: [] };
  } catch (error) {
    throw violatesForeignKey(error) ? new NotFoundError("Publisher", publisherId) : error;
  }
};

const ofPublisher = (publisherId: string) => and(eq(sites.publisherId, publisherId), isPresent(publisherId));

const ownSite = (publisherId: string, id: string) => and(eq(sites.id, id), ofPublisher(publisherId));

/**
 * Selects the keys of the documents that a change of a site outdates: those of its placements, if the change alters
 * what these documents say of the site. Locks the site, so that nobody else alters it before the change is made.
 */
const outdatedWith = (site: SQL | undefined, change: SiteChange & { categoryId: string | null | undefined }): SQL => {
  const { name, status, categoryId, ageDemographics, genderDemographics } = change;
  const held = { name, status, categoryId, ageDemographics, genderDemographics };
  return sql`
    with site as (select id, ${differing(sites, held)} as differs from sites where ${site} for no key update)
    select ${documentKeySql.placement(sql`p.id`)} from site join placements p on p.site_id = site.id where site.differs`;
};

/**
 * Finds a publisher's own site. Another publisher's counts as unknown.
 *
 * @throws {NotFoundError} when the publisher has no such site
 */
export const requireSite = async (db: Db, publisherId: string, id: string) => {
  const [site] = await db.select(detail).from(sites).where(ownSite(publisherId, id));
  if (!site) throw new NotFoundError("Site", id);
  return site;
};

/** Lists a publisher's sites, newest first, and counts them. */
export const listSites = async (
  db: Db,
  publisherId: string,
  page: Page,
  include: { relations: boolean; stats: boolean },
) => {
  const own = ofPublisher(publisherId);
  const [rows, [all]] = await db.batch([
    db
      .select({ ...summary, ...(include.relations ? relations : {}), ...(include.stats ? stats : {}) })
      .from(sites)
      .where(own)
      .orderBy(desc(sites.createdAt), sites.id)
      .offset(page.skip)
      .limit(page.take),
    db.select({ total: count() }).from(sites).where(own),
  ]);
  return { rows, total: all?.total ?? 0 };
};

/**
 * Changes a site and notes the documents of its placements. A publisher's sites change one after the other, because
 * two that swap names would deadlock.
 *
 * @throws {NotFoundError} when the publisher has no such site
 * @throws {NameTakenError} when another of its sites has the name
 * @throws {UnknownCategoryError} when no category has the name
 */
export const updateSite = async (db: Db, publisherId: string, id: string, { categoryName, ...input }: SiteChange) => {
  const categoryId = await categoryIdOf(db, categoryName);
  // Only now: a body that breaks a rule is refused first.
  if (!isId("site", id)) throw new NotFoundError("Site", id);
  const change = { ...input, categoryId };
  try {
    const [, outdated, [site]] = await db.batch([
      holdPublisher(db, publisherId, "no key update"),
      outdate(db, outdatedWith(ownSite(publisherId, id), change)),
      db
        .update(sites)
        .set({ ...change, updatedAt: updateTime(sites, change) })
        .where(ownSite(publisherId, id))
        .returning({
          id: sites.id,
          name: sites.name,
          orderVolume: sites.orderVolume,
          averageOrder: sites.averageOrder,
          updatedAt: sites.updatedAt,
          tag: detail.tag,
        }),
    ]);
    if (!site) throw new NotFoundError("Site", id);
    return { value: site, outdated: outdatedBy(outdated) };
  } catch (error) {
    throw violatesUnique(error, NAME_KEY) ? new NameTakenError("Site", input.name ?? "") : error;
  }
};

/**
 * Deletes a site with its placements, unless some are active. The lock comes first, so that a placement that is
 * activated at the same time is either seen, or its request finds the site gone. What one step does not remove, the
 * cron does.
 *
 * @throws {NotFoundError} when the publisher has no such site
 * @throws {ActivePlacementsError} when placements are active
 */
export const deleteSite = async (db: Db, publisherId: string, id: string): Promise<Changed<null>> => {
  const own = ownSite(publisherId, id);
  const [, , deleted, , , , removed] = await db.batch([
    holdPublisher(db, publisherId),
    db.select({ id: sites.id }).from(sites).where(own).for("update"),
    db.execute<DeletedRow>(sql`
      with active as (
        select count(*)::int as n from placements p join sites on sites.id = p.site_id
        where ${own} and p.status = 'active'
      ), deleted as (
        delete from sites where ${own} and (select n from active) = 0
      )
      select (select n from active) as active, exists (select from sites where ${own}) as found`),
    ...removalStep(db, id),
  ]);
  requireDeleted("Site", id, deleted);
  return { value: null, outdated: outdatedBy(removed) };
};
