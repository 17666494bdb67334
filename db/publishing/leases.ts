import { sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";

/**
 * Takes a lease that is free or has expired.
 *
 * @param name names what only one holder may do at a time
 * @param seconds limits how long a holder that died keeps others out
 * @returns false while another holder has it
 */
export const takeLease = async (db: Db, name: string, holder: string, seconds: number): Promise<boolean> => {
  const result = await db.execute(sql`
    insert into leases as l (name, holder, held_until)
    values (${name}, ${holder}, now() + make_interval(secs => ${seconds}::double precision))
    on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
    where l.held_until <= now()
    returning name`);
  return result.rows.length > 0;
};

/**
 * Gives a lease back. Its row stays and tells when that was. Nothing happens if it had expired and another holder has
 * it.
 */
export const releaseLease = async (db: Db, name: string, holder: string): Promise<void> => {
  await db.execute(sql`
    update leases set held_until = date_trunc('milliseconds', now()) where name = ${name} and holder = ${holder}`);
};
