import { sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";

/** Names whom to forget, by one of the hashes that events keep. */
export type Subject = { sessionHash: string } | { emailHash: string };

/** Counts what was unlinked and removed. */
export type Erased = { events: number; rejects: number };

/**
 * Takes a customer out of all events at a publisher's placements, and out of messages that were never understood. The
 * events stay without any link to the customer, so that the counters still agree with them.
 */
export const eraseSubject = async (db: Db, publisherId: string, subject: Subject): Promise<Erased> => {
  const hash = "sessionHash" in subject ? subject.sessionHash : subject.emailHash;
  const column = "sessionHash" in subject ? sql`session_hash` : sql`email_hash`;
  const result = await db.execute<{ events: string; rejects: string }>(sql`
    with unlinked as (
      update events e set session_hash = null, email_hash = null
      where e.${column} = ${hash} and e.placement_id in (
        select p.id from placements p join sites s on s.id = p.site_id where s.publisher_id = ${publisherId})
      returning 1
    ), removed as (
      delete from tracking_rejects where strpos(body, ${hash}) > 0 returning 1
    )
    select (select count(*) from unlinked) as events, (select count(*) from removed) as rejects`);
  const [row] = result.rows;
  return { events: Number(row?.events ?? 0), rejects: Number(row?.rejects ?? 0) };
};
