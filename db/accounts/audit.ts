import { and, count, desc, eq, type SQL } from "drizzle-orm";
import type { Actor } from "./actor.ts";
import type { Db } from "../core/client.ts";
import { NotFoundError } from "../core/errors.ts";
import type { Page } from "../core/paging.ts";
import { publishers } from "../schema/accounts.ts";
import { webhookEvents, webhookLogs } from "../schema/audit.ts";
import { sites } from "../schema/inventory.ts";
import { withinReach } from "./reach.ts";

const shape = (table: typeof webhookEvents | typeof webhookLogs) => ({
  id: table.id,
  source: table.source,
  eventType: table.eventType,
  payload: table.payload,
  reason: table.reason,
  before: table.before,
  after: table.after,
  createdAt: table.createdAt,
});

/** Lists the audit records of a publisher's own switches, newest first. */
export const listPublisherEvents = async (db: Db, publisherId: string, page: Page) => {
  const own = eq(webhookEvents.publisherId, publisherId);
  const [rows, [all]] = await db.batch([
    db
      .select(shape(webhookEvents))
      .from(webhookEvents)
      .where(own)
      .orderBy(desc(webhookEvents.createdAt), webhookEvents.id)
      .offset(page.skip)
      .limit(page.take),
    db.select({ total: count() }).from(webhookEvents).where(own),
  ]);
  return { rows, total: all?.total ?? 0 };
};

/**
 * Lists the audit records of a site's switches, newest first.
 *
 * @throws {NotFoundError} when there is no such site within the actor's reach
 */
export const listSiteEvents = async (db: Db, actor: Actor, siteId: string, page: Page) => {
  const reach: SQL | undefined = and(eq(sites.id, siteId), withinReach(actor));
  const [[site], rows, [all]] = await db.batch([
    db.select({ id: sites.id }).from(sites).innerJoin(publishers, eq(publishers.id, sites.publisherId)).where(reach),
    db
      .select(shape(webhookLogs))
      .from(webhookLogs)
      .where(eq(webhookLogs.siteId, siteId))
      .orderBy(desc(webhookLogs.createdAt), webhookLogs.id)
      .offset(page.skip)
      .limit(page.take),
    db.select({ total: count() }).from(webhookLogs).where(eq(webhookLogs.siteId, siteId)),
  ]);
  if (!site) throw new NotFoundError("Site", siteId);
  return { rows, total: all?.total ?? 0 };
};
