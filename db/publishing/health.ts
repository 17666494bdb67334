import { sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";

/**
 * Tells how publishing and the cron stand.
 *
 * @returns for how many seconds the oldest entry of the outbox has waited, 0 when none waits, and when a duty of the cron
 *   last ended, null when none ever did
 * @throws when the database does not answer
 */
export const readPublishing = async (db: Db): Promise<{ outboxAgeSeconds: number; cronLastRunAt: string | null }> => {
  const { rows } = await db.execute<{ age: number | null; ended: number | null }>(sql`
    select (select extract(epoch from now() - created_at) from publish_outbox order by id limit 1)::double precision as age,
      (select extract(epoch from max(held_until)) from leases where held_until <= now())::double precision as ended`);
  const { age = null, ended = null } = rows[0] ?? {};
  return {
    outboxAgeSeconds: Math.max(Math.round(age ?? 0), 0),
    cronLastRunAt: ended === null ? null : new Date(ended * 1_000).toISOString(),
  };
};
