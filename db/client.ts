import { neon, neonConfig } from "@neondatabase/serverless";
import { drizzle, type NeonHttpDatabase } from "drizzle-orm/neon-http";

/** The database over HTTP. `transaction` would throw at run time, so it is typed away: use one statement or `batch`. */
export type Db = Omit<NeonHttpDatabase, "transaction">;

/** A Postgres on this machine is reached through the local endpoint, which speaks Neon's wire form over plain HTTP. */
const isLoopback = (host: string) => host === "127.0.0.1" || host === "localhost";
const neonEndpoint = neonConfig.fetchEndpoint;
neonConfig.fetchEndpoint = (host, port, options) =>
  isLoopback(host)
    ? `http://${host}:${port}/sql`
    : typeof neonEndpoint === "function"
      ? neonEndpoint(host, port, options)
      : neonEndpoint;

/** Fetches an answer whole, so that one that is cut off or garbled fails like one that never came. */
neonConfig.fetchFunction = async (url: string, init: RequestInit) => {
  const response = await fetch(url, init);
  const body = await response.text();
  const answer: unknown = response.status > 400 ? null : JSON.parse(body);
  return { ok: response.ok, status: response.status, json: () => answer, text: () => body };
};

/** How long a handle is good for, unless its user says otherwise; no answer takes longer. */
const TIME_LIMIT_MS = 10_000;

/**
 * A handle on the database for one piece of work; no connection is made before the first query.
 *
 * @param url connection string of a Neon database, or of the local endpoint on a loopback host
 * @param timeLimit milliseconds from now after which its queries are given up
 * @throws when the string is not a Postgres connection string
 */
export const connect = (url: string, timeLimit = TIME_LIMIT_MS): Db =>
  drizzle(neon(url, { fetchOptions: { signal: AbortSignal.timeout(timeLimit) } }));
