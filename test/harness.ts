import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { createTestHarness, type WorkerHandle } from "wrangler";
import { connect, type Db } from "../db/client.ts";
import { serveSql, type SqlEndpoint } from "../db/local/endpoint.ts";
import type { Engine } from "../db/local/engine.ts";
import { openPostgres } from "../db/local/postgres.ts";
import { SECRETS } from "./secrets.ts";

type Server = ReturnType<typeof createTestHarness>;
type Fetch = Server["fetch"];

/** A Worker of its own over a database of its own, seeded with the demo network. */
export type Harness = {
  fetch: Fetch;
  worker: WorkerHandle<Env>;
  db: Db;
  endpoint: SqlEndpoint;
  env: () => Promise<Env>;
  logs: () => string[];
  /** Rows of a query, as objects. */
  rows: <Row extends pg.QueryResultRow>(query: string, values?: unknown[]) => Promise<Row[]>;
  /** Calls until what it answers satisfies a condition; fails with the last answer. */
  until: <T>(ask: () => Promise<T>, holds: (answer: T) => boolean) => Promise<T>;
  close: () => Promise<void>;
};

const UNTIL_MS = 15_000;
const UNTIL_STEP_MS = 50;

const until = async <T>(ask: () => Promise<T>, holds: (answer: T) => boolean): Promise<T> => {
  const deadline = Date.now() + UNTIL_MS;
  for (;;) {
    const answer = await ask();
    if (holds(answer)) return answer;
    if (Date.now() > deadline) throw new Error(`still not so: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, UNTIL_STEP_MS));
  }
};

const copyDatabase = async (): Promise<string> => {
  const serverUrl = inject("serverUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const server = new pg.Client(serverUrl);
  await server.connect();
  await server.query(`create database ${name} template ${inject("template")}`);
  await server.end();
  return serverUrl.replace(/[^/]+$/, name);
};

/** Starts the production bundle with KV, queues and Durable Objects over a fresh copy of the seeded database. */
export const startHarness = async (
  options: { vars?: Record<string, string>; databaseUrl?: string } = {},
): Promise<Harness> => {
  const url = await copyDatabase();
  const engine: Engine = await openPostgres(url);
  const endpoint = await serveSql(engine);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const server = createTestHarness({
    workers: [
      {
        configPath: "wrangler.toml",
        prebuiltWorkerDir: inject("workerDir"),
        secrets: { ...SECRETS, DATABASE_URL: options.databaseUrl ?? endpoint.url },
        vars: options.vars ?? {},
      },
    ],
  });
  await server.listen();
  const worker = server.getWorker<Env>();
  return {
    fetch: server.fetch,
    worker,
    db: connect(endpoint.url),
    endpoint,
    env: () => worker.getEnv(),
    logs: () => server.getLogs().map((log) => log.message),
    rows: async (query, values) => (await pool.query(query, values)).rows,
    until,
    close: async () => {
      await server.close();
      await pool.end();
      await endpoint.close();
      await engine.close();
    },
  };
};
