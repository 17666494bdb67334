import { LAST_MIGRATION } from "#last-migration";
import { ROUTINE_NAMES } from "#routine-names";
import { sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";

/**
 * Tells the state of publishing and of the cron.
 *
 * @returns for how many seconds the oldest entry of the outbox has waited, 0 when none waits, and when a duty of the
 *   cron last ended, or was given up as lost; null when none ever did
 * @throws when the database does not answer, or lacks migrations or routines that this version needs
 */
export const readPublishing = async (db: Db): Promise<{ outboxAgeSeconds: number; cronLastRunAt: string | null }> => {
  const { rows } = await db.execute<{
    age: number | null;
    ended: number | null;
    missing: string | null;
    isMigrated: boolean;
  }>(sql`
    select (select extract(epoch from now() - created_at) from publish_outbox order by id limit 1)::double precision as age,
      (select extract(epoch from max(held_until)) from leases where held_until <= now())::double precision as ended,
      (select string_agg(name, ', ') from jsonb_array_elements_text(${JSON.stringify(Object.values(ROUTINE_NAMES))}::jsonb) as name
        where to_regproc(name) is null) as missing,
      exists (select from drizzle.__drizzle_migrations where created_at >= ${LAST_MIGRATION.when}) as "isMigrated"`);
  const { age = null, ended = null, missing = null, isMigrated = false } = rows[0] ?? {};
  const lacking = [...(isMigrated ? [] : [`migration ${LAST_MIGRATION.tag}`]), ...(missing === null ? [] : [missing])];
  if (lacking.length > 0) {
    throw new Error(`the database lacks ${lacking.join(", ")}; run npm run db:migrate of this version on it`);
  }
  return {
    outboxAgeSeconds: Math.max(Math.round(age ?? 0), 0),
    cronLastRunAt: ended === null ? null : new Date(ended * 1_000).toISOString(),
  };
};
