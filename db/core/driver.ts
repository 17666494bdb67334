import { neon, neonConfig, types } from "@neondatabase/serverless";

// A Postgres on this machine is reached through the local endpoint, which speaks Neon's protocol over plain HTTP.
const isLoopback = (host: string) => host === "127.0.0.1" || host === "localhost";
const neonEndpoint = neonConfig.fetchEndpoint;
neonConfig.fetchEndpoint = (host, port, options) =>
  isLoopback(host)
    ? `http://${host}:${port}/sql`
    : typeof neonEndpoint === "function"
      ? neonEndpoint(host, port, options)
      : neonEndpoint;

// Reads the whole answer at once: one that is cut off or garbled then fails like one that never came.
neonConfig.fetchFunction = async (url: string, init: RequestInit) => {
  const response = await fetch(url, init);
  const body = await response.text();
  const answer: unknown = response.status > 400 ? null : JSON.parse(body);
  return { ok: response.ok, status: response.status, json: () => answer, text: () => body };
};

/** Lists the object ids of date, timestamp, timestamp with time zone and interval. */
const TIME_TYPES = [1082, 1114, 1184, 1186];

// Times stay as the texts that Postgres writes, because drizzle's columns parse those themselves.
for (const type of TIME_TYPES) types.setTypeParser(type, (text) => text);

// The driver is large and slow to load, so only `connect` in client.ts imports this file, and only when it must.
export { neon };
