import { sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";

/** Limits how many rows a statement removes. */
const ROWS = 5_000;

/** Says for how many days rows of a table are kept, counted from a column of theirs. */
type Kept = { table: string; from: string; days: number };

/**
 * Lists what is removed by its age. Ids of repeats and flushes are kept for longer than a queue may hold a message, since
 * they keep a redelivered one from being counted again.
 */
export const KEPT: Kept[] = [
  { table: "recent_billings", from: "last_at", days: 2 },
  { table: "counted_repeats", from: "received_at", days: 30 },
  { table: "request_flushes", from: "received_at", days: 30 },
  { table: "hourly_requests", from: "hour", days: 400 },
  { table: "request_facts", from: "hour", days: 400 },
];

/**
 * Removes some rows of a table that are older than they are kept.
 *
 * @returns whether there may be more of them
 */
export const purgeSome = async (db: Db, { table, from, days }: Kept): Promise<boolean> => {
  const name = sql.identifier(table);
  const moment = sql.identifier(from);
  const result = await db.execute(sql`
    delete from ${name} where ctid = any (array(
      select ctid from ${name} where ${moment} < now() - make_interval(days => ${days}::int)
      order by ${moment} limit ${ROWS}::int))`);
  return result.rowCount === ROWS;
};
