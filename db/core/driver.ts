import { neon, neonConfig, types } from "@neondatabase/serverless";

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

/** Object ids of date, timestamp, timestamp with time zone and interval. */
const TIME_TYPES = [1082, 1114, 1184, 1186];

/** Times stay the texts that Postgres writes, which is what drizzle's columns read. */
for (const type of TIME_TYPES) types.setTypeParser(type, (text) => text);

/** Neon's driver, set up. It is large and slow to load, so only {@link connect} asks for it, when it is needed. */
export { neon };
