import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { lastingPort } from "../runtime/lasting-port.ts";

/**
 * Lists what a database can do wrong: refuse connections, take a request and never answer, answer late, cut its answer
 * off in the middle, answer something that is not JSON, fail as a server in front of it would.
 */
export const FAULTS = ["refuse", "hang", "slow", "cut", "garble", "fail"] as const;
export type Fault = "none" | (typeof FAULTS)[number];

/** Describes an HTTP proxy in front of the SQL endpoint that behaves like a database in trouble. */
export type SqlProxy = {
  /** Holds the connection string that leads to the database through the proxy. */
  url: string;
  /** Names the port of the endpoint behind the proxy. */
  target: number;
  /** Counts the requests that have reached the proxy. */
  requests: number;
  /** Begins a fault, for all requests or for those whose body satisfies a condition; `none` ends it. */
  set: (fault: Fault, only?: (body: string) => boolean) => Promise<void>;
  /** Changes a request's body before it is passed on. */
  rewrite: (body: string) => string;
  close: () => Promise<void>;
};

const SLOW_MS = 200;
const always = (_body: string): boolean => true;

const forward = async (request: IncomingMessage, body: string, target: number) => {
  const headers = Object.entries(request.headers).filter(([name]) => name.startsWith("neon-"));
  const response = await fetch(`http://127.0.0.1:${target}${request.url ?? ""}`, {
    method: "POST",
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    body,
  });
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
};

const JSON_TYPE = { "content-type": "application/json" };

/** Answers under a fault. A statement whose answer is cut or garbled has run all the same. */
const answer = async (
  proxy: SqlProxy,
  fault: Fault,
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
): Promise<void> => {
  if (fault === "hang") return;
  if (fault === "fail") {
    response.writeHead(500).end("internal error at 10.0.0.7: select secret");
    return;
  }
  if (fault === "slow") await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
  const answered = await forward(request, proxy.rewrite(body), proxy.target);
  if (fault === "cut") {
    response.writeHead(answered.status, { ...JSON_TYPE, "content-length": answered.body.length });
    response.write(answered.body.subarray(0, answered.body.length / 2), () => response.socket?.resetAndDestroy());
  } else if (fault === "garble") {
    response.writeHead(200, JSON_TYPE).end("<html>select secret</html>");
  } else {
    response.writeHead(answered.status, JSON_TYPE).end(answered.body);
  }
};

/** Starts a proxy without faults. Set its `target` before the first request. */
export const startSqlProxy = async (): Promise<SqlProxy> => {
  let fault: Fault = "none";
  let concerned = always;
  const server = createServer((request, response) => {
    const handle = async () => {
      const body = await text(request);
      proxy.requests += 1;
      await answer(proxy, concerned(body) ? fault : "none", request, body, response);
    };
    handle().catch(() => response.destroy());
  });
  server.keepAliveTimeout = 0;
  // While the proxy refuses connections, nobody listens on its port.
  const port = await lastingPort();
  const listen = async () => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  const stop = async () => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  await listen();
  const proxy: SqlProxy = {
    url: `postgres://lanyap:hunter2@127.0.0.1:${port}/lanyap`,
    target: 0,
    requests: 0,
    set: async (next, only = always) => {
      const ended = fault;
      fault = next;
      concerned = only;
      if (next === "refuse") await stop();
      else if (!server.listening) await listen();
      else if (ended === "hang") server.closeAllConnections();
    },
    rewrite: (body) => body,
    close: stop,
  };
  return proxy;
};
