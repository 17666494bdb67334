import type { NeonHttpDatabase } from "drizzle-orm/neon-http";
import { NeonHttpSession, type NeonHttpClient, type NeonHttpQueryResultHKT } from "drizzle-orm/neon-http/session";
import { PgDatabase, PgDialect } from "drizzle-orm/pg-core";
import { neon } from "./neon/neon.ts";
import { writingCalls, type Writing } from "./writing/writing.ts";

/**
 * Describes a database handle over HTTP. The driver has no interactive transactions, so `transaction` is left out of the
 * type: use one statement, `batch`, or `change`.
 */
export type Db = Omit<NeonHttpDatabase, "transaction" | "$withAuth"> & {
  /**
   * Runs the statements of a change that is made once under an idempotency key. The last statement selects what is
   * answered, and no row if the change was not made. If the key is known, only the last statement has a row: that of
   * the first time.
   */
  change: NeonHttpDatabase["batch"];
  /** Says how the request writes. */
  writing: Writing | undefined;
};

/** Limits a round trip, in milliseconds, unless the caller names another limit. */
const TIME_LIMIT_MS = 10_000;

/**
 * Returns a database handle. It connects at its first query, not before.
 *
 * Drizzle's own `drizzle()` takes no client but the one of `@neondatabase/serverless`, so the handle is assembled here.
 *
 * @param url connection string of a Neon database, or of the local endpoint on a loopback host
 * @param timeLimit milliseconds after which a round trip is aborted
 * @param writing how a request writes; without it nothing is audited
 * @throws {TypeError} when the string is not a URL
 */
export const connect = (url: string, timeLimit = TIME_LIMIT_MS, writing?: Writing): Db => {
  const dialect = new PgDialect();
  const client = neon(url, timeLimit);
  const session = new NeonHttpSession(client as unknown as NeonHttpClient, dialect, undefined);
  const changing = new NeonHttpSession(client as unknown as NeonHttpClient, dialect, undefined);
  if (writing) {
    const calls = writingCalls(client, writing);
    Object.assign(session, { client: calls });
    Object.assign(changing, { client: { transaction: calls.change } });
  }
  const batch: Db["batch"] = (queries) => session.batch(queries);
  const change: Db["batch"] = (queries) => changing.batch(queries);
  const handle = new PgDatabase<NeonHttpQueryResultHKT>(dialect, session, undefined);
  return Object.assign(handle, { batch, change, writing });
};

/**
 * Looks up and judges what a change needs.
 *
 * @returns null when the request's idempotency key is known: then the present state no longer matters, and the
 *   statements that are handed to `change` do not run
 */
export const unlessKnown = async <Found>(db: Db, find: () => Promise<Found>): Promise<Found | null> => {
  try {
    return await find();
  } catch (error) {
    if (db.writing?.answer === undefined) throw error;
    return null;
  }
};
