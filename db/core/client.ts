import type { NeonHttpDatabase } from "drizzle-orm/neon-http";
import { NeonHttpSession, type NeonHttpQueryResultHKT } from "drizzle-orm/neon-http/session";
import { PgDatabase, PgDialect } from "drizzle-orm/pg-core";
import { namingCaller, type Caller } from "./caller.ts";

/**
 * Describes a database handle over HTTP. The driver has no interactive transactions, so `transaction` is left out of the
 * type: use one statement or `batch`.
 */
export type Db = Omit<NeonHttpDatabase, "transaction" | "$withAuth">;

/** Limits a round trip, in milliseconds, unless the handle's user names another limit. */
const TIME_LIMIT_MS = 10_000;

/**
 * Returns a database handle. It connects at its first query, not before.
 *
 * Drizzle's own `drizzle()` would load the large driver when the Worker starts, so the handle is assembled here.
 *
 * @param url connection string of a Neon database, or of the local endpoint on a loopback host
 * @param timeLimit milliseconds after which a round trip is aborted
 * @param caller who is named in the audit of what is changed; without one nothing is audited
 * @throws {Error} when the string is not a Postgres connection string
 */
export const connect = async (url: string, timeLimit = TIME_LIMIT_MS, caller?: Caller): Promise<Db> => {
  const { neon } = await import("./driver.ts");
  const dialect = new PgDialect();
  // The driver reads its options for each round trip, so that each has a clock of its own.
  const fetchOptions = {
    get signal() {
      return AbortSignal.timeout(timeLimit);
    },
  };
  const client = neon(url, { fetchOptions });
  const session = new NeonHttpSession(client, dialect, undefined);
  if (caller) Object.assign(session, { client: namingCaller(client, caller) });
  const batch: Db["batch"] = (queries) => session.batch(queries);
  return Object.assign(new PgDatabase<NeonHttpQueryResultHKT>(dialect, session, undefined), { batch });
};
