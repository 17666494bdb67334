import { connect } from "../../../db/core/client.ts";
import { serveSql } from "../../../db/local/endpoint.ts";
import type { Engine } from "../../../db/local/engine.ts";

/**
 * Opens an engine behind its endpoint. `seen` lists the statements that came; `post` sends requests as Neon's client
 * does.
 */
export const openServed = async (open: () => Promise<Engine>) => {
  const engine = await open();
  const seen: string[] = [];
  const endpoint = await serveSql(engine, {
    onRequest: (queries) => seen.push(...queries.map(({ query }) => query)),
  });
  return {
    seen,
    endpoint,
    db: connect(endpoint.url, 3_600_000),
    post: (body: unknown, headers: Record<string, string> = {}, path = "/sql") =>
      fetch(`http://127.0.0.1:${endpoint.port}${path}`, {
        method: "POST",
        body: typeof body === "string" ? body : JSON.stringify(body),
        headers: {
          "neon-connection-string": endpoint.url,
          "neon-raw-text-output": "true",
          "neon-array-mode": "true",
          ...headers,
        },
      }),
    close: async () => {
      await endpoint.close();
      await engine.close();
    },
  };
};
