import type { NeonHttpDatabase } from "drizzle-orm/neon-http";
import { NeonHttpSession, type NeonHttpClient, type NeonHttpQueryResultHKT } from "drizzle-orm/neon-http/session";
import { PgDatabase, PgDialect } from "drizzle-orm/pg-core";
import { neon } from "./neon.ts";
import { writingCalls, type Writing } from "./writing.ts";

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
  if (writing) Object.assign(session, { client: writingCalls(client, writing) });
  const batch: Db["batch"] = (queries) => session.batch(queries);
  return Object.assign(new PgDatabase<NeonHttpQueryResultHKT>(dialect, session, undefined), { batch });
};
