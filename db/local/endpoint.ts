import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { once } from "node:events";
import { isLoopback } from "../core/loopback.ts";
import type { Engine, Query } from "./engine.ts";
import { readRequest, type SqlRequest, writeError, writeResult } from "./wire.ts";

export type SqlEndpointOptions = {
  /** Names the port to listen on; 0, the default, takes any free one. */
  port?: number;
  /** Receives the statements of each request before they run. */
  onRequest?: (queries: readonly Query[]) => void;
};

export type SqlEndpoint = {
  /** Holds the connection string with which the Worker's client reaches this endpoint. */
  readonly url: string;
  readonly port: number;
  /** Counts the well-formed requests so far, which are SQL round trips. */
  readonly requests: number;
  /** Stops listening and ends every connection; the engine stays open. */
  close(): Promise<void>;
};

/** Serves an engine on loopback as Neon serves its databases: by `POST /sql`, which drizzle's neon-http driver calls. */
export const serveSql = async (
  engine: Engine,
  { port = 0, onRequest }: SqlEndpointOptions = {},
): Promise<SqlEndpoint> => {
  let requests = 0;
  const count = (queries: readonly Query[]) => {
    requests += 1;
    onRequest?.(queries);
  };
  const server = createServer((request, response) => {
    handle(engine, request, count).then(
      ({ status, body }) => send(response, status, body),
      () => response.destroy(),
    );
  });
  // The server never closes an idle connection, because the Worker's next request may already be on its way.
  server.keepAliveTimeout = 0;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the SQL endpoint got no port");
  return {
    url: `postgres://lanyap:lanyap@127.0.0.1:${address.port}/lanyap`,
    port: address.port,
    get requests() {
      return requests;
    },
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

type Answer = {
  status: number;
  body: object;
};

/**
 * Tells whether a request was addressed to this machine by a loopback name. A web page's own host name may also resolve
 * to it.
 */
const isForLoopback = ({ headers: { host = "" } }: IncomingMessage): boolean => {
  const address = `http://${host}`;
  return URL.canParse(address) && isLoopback(new URL(address).hostname);
};

const handle = async (
  engine: Engine,
  request: IncomingMessage,
  count: (queries: readonly Query[]) => void,
): Promise<Answer> => {
  const body = await text(request);
  if (!isForLoopback(request)) return { status: 403, body: { message: "only requests to loopback are taken" } };
  if (request.url !== "/sql") return { status: 404, body: { message: "not found" } };
  if (request.method !== "POST") return { status: 405, body: { message: "method not allowed" } };
  let sql: SqlRequest;
  try {
    sql = readRequest(request.headers, body);
  } catch (error) {
    return { status: 400, body: { message: error instanceof Error ? error.message : "malformed request" } };
  }
  count(sql.queries);
  try {
    return { status: 200, body: await run(engine, sql) };
  } catch (error) {
    const about = writeError(error);
    if (about !== null) return { status: 400, body: about };
    return { status: 503, body: { message: error instanceof Error ? error.message : "database unavailable" } };
  }
};

const run = async (engine: Engine, { queries, batch, options, arrayMode }: SqlRequest): Promise<object> => {
  const [single] = queries;
  if (!batch && single) return writeResult(await engine.run(single), arrayMode);
  const results = await engine.transaction(queries, options);
  return { results: results.map((result) => writeResult(result, arrayMode)) };
};

const send = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
};
