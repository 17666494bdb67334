import type { NeonHttpDatabase } from "drizzle-orm/neon-http";
import { NeonHttpSession, type NeonHttpQueryResultHKT } from "drizzle-orm/neon-http/session";
import { PgDatabase, PgDialect } from "drizzle-orm/pg-core";

/** The database over HTTP. `transaction` would throw at run time, so it is typed away: use one statement or `batch`. */
export type Db = Omit<NeonHttpDatabase, "transaction" | "$withAuth">;

/** How long a handle is good for, unless its user says otherwise; no answer takes longer. */
const TIME_LIMIT_MS = 10_000;

/**
 * A handle on the database for one piece of work; no connection is made before the first query. It is put together
 * here, because drizzle's own way would load the driver when the Worker starts.
 *
 * @param url connection string of a Neon database, or of the local endpoint on a loopback host
 * @param timeLimit milliseconds from now after which its queries are given up
 * @throws when the string is not a Postgres connection string
 */
export const connect = async (url: string, timeLimit = TIME_LIMIT_MS): Promise<Db> => {
  const signal = AbortSignal.timeout(timeLimit);
  const { neon } = await import("./driver.ts");
  const dialect = new PgDialect();
  const session = new NeonHttpSession(neon(url, { fetchOptions: { signal } }), dialect, undefined);
  const batch: Db["batch"] = (queries) => session.batch(queries);
  return Object.assign(new PgDatabase<NeonHttpQueryResultHKT>(dialect, session, undefined), { batch });
};
