import type { NeonHttpDatabase } from "drizzle-orm/neon-http";
import { NeonHttpSession, type NeonHttpQueryResultHKT } from "drizzle-orm/neon-http/session";
import { PgDatabase, PgDialect } from "drizzle-orm/pg-core";

/** The database over HTTP. `transaction` would throw at run time, so it is typed away: use one statement or `batch`. */
export type Db = Omit<NeonHttpDatabase, "transaction" | "$withAuth">;

/** Limits a round trip, unless the handle's user says otherwise. */
const TIME_LIMIT_MS = 10_000;

/**
 * Returns a handle on the database; no connection is made before the first query. It is put together here, because
 * drizzle's own way would load the driver when the Worker starts.
 *
 * @param url connection string of a Neon database, or of the local endpoint on a loopback host
 * @param timeLimit milliseconds after which a round trip is given up
 * @throws when the string is not a Postgres connection string
 */
export const connect = async (url: string, timeLimit = TIME_LIMIT_MS): Promise<Db> => {
  const { neon } = await import("./driver.ts");
  const dialect = new PgDialect();
  // The driver reads its options for each round trip, so that each has a clock of its own.
  const fetchOptions = {
    get signal() {
      return AbortSignal.timeout(timeLimit);
    },
  };
  const session = new NeonHttpSession(neon(url, { fetchOptions }), dialect, undefined);
  const batch: Db["batch"] = (queries) => session.batch(queries);
  return Object.assign(new PgDatabase<NeonHttpQueryResultHKT>(dialect, session, undefined), { batch });
};
