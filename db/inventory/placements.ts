import { and, count, desc, eq, sql, type SQL } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { updateTime } from "../core/writing/differing.ts";
import { NotFoundError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { requireSame } from "../core/writing/same.ts";
import type { Page } from "../core/paging.ts";
import { tagOf } from "../core/writing/tags.ts";
import { holdPublisher } from "../accounts/hold.ts";
import { isPresent } from "../accounts/reach.ts";
import { documentKeySql } from "../documents/keys.ts";
import { outdate, outdatedBy, outdateSql, type Changed, type OutdatedRow } from "../documents/outdate.ts";
import { recordZone, type NewZone } from "./partner-zones.ts";
import { placements, sites } from "../schema/inventory.ts";
import type { PAGE_TYPES, PlacementStatus } from "../schema/values.ts";

/** Holds what the owner sets of a placement. */
export type PlacementInput = {
  name: string;
  pageType: (typeof PAGE_TYPES)[number];
  isLiveMode?: boolean | undefined;
  template?: number | undefined;
  data?: Record<string, unknown> | undefined;
};

/**
 * Says where a placement goes: onto a site of the publisher by id, or onto its site of a name, which is created if
 * needed.
 */
export type Store = { siteId: string } | { storeName: string; storeDomain: string; zone: NewZone };

const shape = {
  id: placements.id,
  name: placements.name,
  siteId: placements.siteId,
  pageType: placements.pageType,
  isLiveMode: placements.isLiveMode,
  template: placements.template,
  data: placements.data,
  status: placements.status,
  createdAt: placements.createdAt,
  updatedAt: placements.updatedAt,
};

/** Selects one placement, with its tag. */
const tagged = { ...shape, tag: tagOf(placements) };

const ofPublisher = (publisherId: string): SQL =>
  sql`${placements.siteId} in (select s.id from ${sites} s where s.publisher_id = ${publisherId}) and ${isPresent(publisherId)}`;

const ownPlacement = (publisherId: string, id: string) => and(eq(placements.id, id), ofPublisher(publisherId));

/**
 * Keeps a publisher and one of its sites from deletion until the batch ends: the batch's next statement sees a deletion
 * that came first, and a later deletion sees what this batch wrote.
 */
const hold = (db: Db, publisherId: string, site: SQL) =>
  [
    holdPublisher(db, publisherId),
    db
      .select({ id: sites.id })
      .from(sites)
      .where(and(eq(sites.publisherId, publisherId), site))
      .for("key share"),
  ] as const;

const insertPlacement = (db: Db, id: string, publisherId: string, site: SQL, input: PlacementInput) =>
  db.execute<{ id: string }>(sql`
    insert into placements (id, site_id, name, page_type, is_live_mode, template, data)
    select ${id}, sites.id, ${input.name}, ${input.pageType}, ${input.isLiveMode ?? false},
      ${input.template ?? 1}, ${JSON.stringify(input.data ?? {})}::jsonb
    from sites where sites.publisher_id = ${publisherId} and ${isPresent(publisherId)} and ${site}
    returning id`);

const readPlacement = (db: Db, id: string) => db.select(tagged).from(placements).where(eq(placements.id, id));

/**
 * Creates an active placement.
 *
 * @returns the placement, and the id of the site that was created for it, null when the site existed
 * @throws {NotFoundError} when the publisher has no such site, or is itself gone
 */
export const createPlacement = async (db: Db, publisherId: string, store: Store, input: PlacementInput) => {
  const id = newId("placement");
  if ("siteId" in store) {
    const site = sql`sites.id = ${store.siteId}`;
    const [, , , [placement]] = await db.change([
      ...hold(db, publisherId, site),
      insertPlacement(db, id, publisherId, site, input),
      readPlacement(db, id),
    ]);
    if (!placement) throw new NotFoundError("Site", store.siteId);
    return { value: { placement, newSite: null }, outdated: [] };
  }
  const siteId = newId("site");
  const site = sql`sites.name = ${store.storeName}`;
  // An existing site is updated without a change, which locks it: otherwise it could be gone before the placement is
  // there.
  const [, , , , [placement]] = await db.change([
    holdPublisher(db, publisherId),
    db.execute(sql`
      insert into sites (id, publisher_id, name, domain)
      select ${siteId}, p.id, ${store.storeName}, ${store.storeDomain} from publishers p where p.id = ${publisherId}
      on conflict (publisher_id, name) do update set name = excluded.name`),
    recordZone(db, siteId, store.zone),
    insertPlacement(db, id, publisherId, site, input),
    readPlacement(db, id),
  ]);
  if (!placement) throw new NotFoundError("Publisher", publisherId);
  return { value: { placement, newSite: placement.siteId === siteId ? siteId : null }, outdated: [] };
};

/** Says which placements to list. */
export type PlacementFilter = { siteId?: string | undefined; status?: PlacementStatus | undefined };

/**
 * Lists a publisher's placements, newest first, and counts them.
 *
 * @throws {NotFoundError} when the publisher has no such site
 */
export const listPlacements = async (db: Db, publisherId: string, { siteId, status }: PlacementFilter, page: Page) => {
  const own = and(
    ofPublisher(publisherId),
    siteId === undefined ? undefined : eq(placements.siteId, siteId),
    status && eq(placements.status, status),
  );
  const asked = and(
    eq(sites.publisherId, publisherId),
    isPresent(publisherId),
    siteId === undefined ? undefined : eq(sites.id, siteId),
  );
  const [rows, [all], [site]] = await db.batch([
    db
      .select(shape)
      .from(placements)
      .where(own)
      .orderBy(desc(placements.createdAt), placements.id)
      .offset(page.skip)
      .limit(page.take),
    db.select({ total: count() }).from(placements).where(own),
    db.select({ id: sites.id }).from(sites).where(asked).limit(1),
  ]);
  if (siteId !== undefined && !site) throw new NotFoundError("Site", siteId);
  return { rows, total: all?.total ?? 0 };
};

/**
 * Finds a publisher's own placement. Another publisher's counts as unknown.
 *
 * @throws {NotFoundError} when the publisher has no such placement
 */
export const requirePlacement = async (db: Db, publisherId: string, id: string) => {
  const [placement] = await db.select(tagged).from(placements).where(ownPlacement(publisherId, id));
  if (!placement) throw new NotFoundError("Placement", id);
  return placement;
};

/** Holds what a change may set of a placement, and its site, which never changes. */
export type PlacementChange = { [K in keyof PlacementInput]?: PlacementInput[K] | undefined } & {
  status?: PlacementStatus | undefined;
  siteId?: string | undefined;
};

/**
 * Changes a placement and notes its document.
 *
 * @throws {NotFoundError} when the publisher has no such placement
 * @throws {InvalidFieldError} when it is on another site
 */
export const updatePlacement = async (
  db: Db,
  publisherId: string,
  id: string,
  { siteId, ...input }: PlacementChange,
) => {
  const site = sql`sites.id = (select p.site_id from placements p where p.id = ${id})`;
  const wanted = and(
    ownPlacement(publisherId, id),
    siteId === undefined ? undefined : sql`${placements.siteId} = ${siteId}`,
  );
  const [, [held], outdated, [placement]] = await db.batch([
    ...hold(db, publisherId, site),
    outdate(db, sql`select ${documentKeySql.placement(sql`placements.id`)} from placements where ${wanted}`),
    db
      .update(placements)
      .set({ ...input, updatedAt: updateTime(placements, input) })
      .where(wanted)
      .returning(tagged),
  ]);
  if (held) requireSame("siteId", held.id, siteId);
  if (!placement) throw new NotFoundError("Placement", id);
  return { value: placement, outdated: outdatedBy(outdated) };
};

/**
 * Deletes a placement and notes its document.
 *
 * @throws {NotFoundError} when the publisher has no such placement
 */
export const deletePlacement = async (db: Db, publisherId: string, id: string): Promise<Changed<null>> => {
  const [, deleted] = await db.batch([
    holdPublisher(db, publisherId),
    db.execute<OutdatedRow>(sql`
      with deleted as (
        delete from placements where ${ownPlacement(publisherId, id)} returning id
      ) ${outdateSql(sql`select ${documentKeySql.placement(sql`id`)} from deleted`)}`),
  ]);
  const outdated = outdatedBy(deleted);
  if (outdated.length === 0) throw new NotFoundError("Placement", id);
  return { value: null, outdated };
};
