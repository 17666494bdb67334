import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";

/**
 * Says what becomes of a request: it is passed on; it is passed on and its answer lost; nobody answers; or the proxy
 * itself answers.
 */
export type Fate = "pass" | "lose" | "hang" | { status: number; headers?: Record<string, string>; body?: unknown };

/** Describes a request as it came. */
export type Seen = { method: string; url: string; headers: IncomingHttpHeaders };

/** Describes an HTTP proxy in front of the service. */
export type LossyProxy = {
  url: string;
  /** Lists what becomes of the next requests, in their order; later ones are passed on. */
  fates: Fate[];
  /** Lists the requests that came. */
  seen: Seen[];
  close: () => Promise<void>;
};

const HOP_BY_HOP = /^(?:host|connection|keep-alive|transfer-encoding|content-length|content-encoding|accept-encoding)$/;

const passedOn = (headers: Iterable<[string, unknown]>): Record<string, string> =>
  Object.fromEntries(
    [...headers].filter(([name]) => !HOP_BY_HOP.test(name)).map(([name, value]) => [name, String(value)]),
  );

/** Starts a proxy in front of a service. */
export const startLossyProxy = async (target: string): Promise<LossyProxy> => {
  const proxy = { fates: [] as Fate[], seen: [] as Seen[] };
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    proxy.seen.push({ method, url, headers });
    const fate = proxy.fates.shift() ?? "pass";
    const answer = async () => {
      const body = await buffer(request);
      if (fate === "hang") return;
      if (typeof fate === "object") {
        response.writeHead(fate.status, { "content-type": "application/json", ...fate.headers });
        response.end(typeof fate.body === "string" ? fate.body : JSON.stringify(fate.body ?? {}));
        return;
      }
      const init = { method, headers: passedOn(Object.entries(headers)), redirect: "manual" as const };
      const answered = await fetch(target + url, body.length === 0 ? init : { ...init, body });
      const content = Buffer.from(await answered.arrayBuffer());
      if (fate === "lose") response.socket?.destroy();
      else response.writeHead(answered.status, passedOn(answered.headers)).end(content);
    };
    answer().catch(() => response.socket?.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  });
};
