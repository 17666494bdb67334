import { sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { documentKeySql } from "../documents/keys.ts";
import type { Changed } from "../documents/outdate.ts";
import type { PublisherStatus } from "../schema/values.ts";
import { switchedBy, switchRow, type Request, type Switch, type Switched } from "./switching.ts";

/**
 * Switches a publisher, with its audit record and the documents of its public keys, in one statement.
 *
 * @throws {NotFoundError} when there is no such publisher
 */
export const switchPublisher = async (
  db: Db,
  id: string,
  change: Switch<PublisherStatus>,
  request: Request,
): Promise<Changed<Switched<PublisherStatus>>> => {
  const target = {
    kind: "publisher" as const,
    table: sql`publishers`,
    found: sql`t.id = ${id}`,
    log: { table: sql`webhook_events`, columns: sql`publisher_id`, values: sql`changed.id` },
    ids: { publisherId: id },
    documents: sql`select ${documentKeySql.key(sql`k.key`)} from public_keys k join changed on changed.id = k.publisher_id`,
  };
  return switchedBy("Publisher", id, await switchRow(db, target, change, request));
};
