import { sql } from "drizzle-orm";
import { holdPublisher } from "../accounts/hold.ts";
import { switchedBy, switchRow, type Request, type Switch, type Switched } from "../accounts/switching.ts";
import type { Db } from "../core/client.ts";
import { documentKeySql } from "../documents/keys.ts";
import type { Changed } from "../documents/outdate.ts";
import type { SiteStatus } from "../schema/values.ts";

/**
 * Switches a publisher's own site, with its audit record and the documents of its placements, in one transaction.
 *
 * @throws {NotFoundError} when the publisher has no such site
 */
export const switchSite = async (
  db: Db,
  publisherId: string,
  id: string,
  change: Switch<Exclude<SiteStatus, "pending">>,
  request: Request,
): Promise<Changed<Switched<SiteStatus>>> => {
  const target = {
    kind: "site" as const,
    table: sql`sites`,
    found: sql`t.id = ${id} and t.publisher_id = ${publisherId}`,
    log: {
      table: sql`webhook_logs`,
      columns: sql`publisher_id, site_id`,
      values: sql`changed.publisher_id, changed.id`,
    },
    ids: { siteId: id, publisherId },
    documents: sql`select ${documentKeySql.placement(sql`p.id`)} from placements p join changed on changed.id = p.site_id`,
  };
  const [, result] = await db.batch([
    holdPublisher(db, publisherId),
    switchRow<SiteStatus>(db, target, change, request),
  ]);
  return switchedBy("Site", id, result);
};
