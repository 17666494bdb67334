import pg from "pg";
import { inject } from "vitest";
import { createTestHarness, type WorkerHandle } from "wrangler";
import { connect, type Db } from "../../db/core/client.ts";
import { serveSql, type SqlEndpoint } from "../../db/local/endpoint.ts";
import type { Engine, Query } from "../../db/local/engine.ts";
import { openPostgres } from "../../db/local/postgres.ts";
import { makeDatabase } from "./database/database.ts";
import { SECRETS } from "./secrets.ts";
import { workerFetch, type WorkerFetch } from "./worker-fetch.ts";

/** A message as a queue delivers it. */
export type Delivered = { id: string; body: unknown; attempts?: number };

/** What a consumer said of a batch. */
export type Verdict = {
  outcome: string;
  ackAll: boolean;
  retryBatch: { retry: boolean; delaySeconds?: number };
  explicitAcks: string[];
};

/** The queue event of a Worker, which its types leave out. */
type Consumer = {
  queue: (name: string, messages: (Required<Delivered> & { timestamp: Date })[]) => Promise<Verdict>;
};

/** A Worker of its own over a database of its own, seeded with the demo network. */
export type Harness = {
  /** Where a program outside the tests reaches the Worker, without a slash at its end. */
  url: string;
  fetch: WorkerFetch;
  worker: WorkerHandle<Env>;
  db: Db;
  endpoint: SqlEndpoint;
  /**
   * Changes the database as the Worker sees it. It is unreachable while `down`, and its answers are kept back while there
   * is a `hold`: `held` counts those that have run and wait. `trips` lists the statements of each round trip.
   */
  database: { down: boolean; hold: Promise<void> | null; held: number; trips: string[][] };
  /** The database itself, for another harness over the same one. */
  postgresUrl: string;
  /** What the KV of {@link startHarness}'s `breakableKv` was asked, and does; sets what is given. */
  kv: (faults?: Partial<KvState>) => Promise<KvState>;
  env: () => Promise<Env>;
  /** Hands a batch of a queue to the Worker's consumer, and answers what became of it. */
  deliver: (messages: readonly Delivered[], queue?: string) => Promise<Verdict>;
  logs: () => string[];
  /** Rows of a query, as objects. */
  rows: <Row extends pg.QueryResultRow>(query: string, values?: unknown[]) => Promise<Row[]>;
  /** Calls until what it answers satisfies a condition; fails with the last answer. */
  until: <T>(ask: () => Promise<T>, holds: (answer: T) => boolean, limitMs?: number) => Promise<T>;
  close: () => Promise<void>;
};

/** Reads and writes of a KV namespace so far, and the faults it has. */
export type KvState = {
  reads: number;
  writes: number;
  get: "none" | "fail" | "hang";
  put: "none" | "fail" | "hang";
};

const BREAKABLE_KV = {
  name: "breakable-kv",
  main: "test/support/faults/kv-worker.ts",
  compatibility_date: "2026-11-01",
};
const UNAVAILABLE = { name: "unavailable", main: "test/support/unavailable.ts", compatibility_date: "2026-11-01" };

/** Longer than any test file runs. */
const HOUR_MS = 3_600_000;
const UNTIL_MS = 15_000;
const UNTIL_STEP_MS = 50;

const until = async <T>(ask: () => Promise<T>, holds: (answer: T) => boolean, limitMs = UNTIL_MS): Promise<T> => {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (holds(answer)) return answer;
    if (Date.now() > deadline) throw new Error(`still not so: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, UNTIL_STEP_MS));
  }
};

/** A database with the faults that {@link Harness.database} can switch on; what has begun is finished. */
const breakable = (
  engine: Engine,
): { engine: Engine; database: Harness["database"]; onRequest: (queries: readonly Query[]) => void } => {
  const database: Harness["database"] = { down: false, hold: null, held: 0, trips: [] };
  const answer = async <T>(run: () => Promise<T>): Promise<T> => {
    if (database.down) throw new Error("the database is down");
    const result = await run();
    if (!database.hold) return result;
    database.held += 1;
    await database.hold;
    database.held -= 1;
    return result;
  };
  return {
    database,
    onRequest: (queries) => database.trips.push(queries.map(({ query }) => query)),
    engine: {
      ...engine,
      run: (query) => answer(() => engine.run(query)),
      transaction: (queries, modes) => answer(() => engine.transaction(queries, modes)),
    },
  };
};

/** Starts the production bundle with KV, queues and Durable Objects over a fresh copy of the seeded database. */
export const startHarness = async (
  options: {
    vars?: Record<string, string>;
    secrets?: Record<string, string>;
    databaseUrl?: string;
    /** Bindings whose every method fails. */
    unavailable?: ("EVENTS" | "DOCUMENTS")[];
    /** Keeps documents in a KV of its own that {@link Harness.kv} breaks. */
    breakableKv?: boolean;
    /** A database that is there already, instead of a fresh one. */
    postgresUrl?: string;
  } = {},
): Promise<Harness> => {
  const url = options.postgresUrl ?? (await makeDatabase(inject("template")));
  const postgres: Engine = await openPostgres(url);
  const { engine, database, onRequest } = breakable(postgres);
  const endpoint = await serveSql(engine, { onRequest });
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const server = createTestHarness({
    workers: [
      {
        configPath: "wrangler.toml",
        prebuiltWorkerDir: inject("workerDir"),
        secrets: { ...SECRETS, DATABASE_URL: options.databaseUrl ?? endpoint.url, ...options.secrets },
        // Tests see what is in KV at once; those of the memory tier say otherwise.
        vars: { DOCUMENT_FRESH_MS: "0", ...options.vars },
        bindingOverrides: {
          ...Object.fromEntries((options.unavailable ?? []).map((binding) => [binding, UNAVAILABLE.name])),
          ...(options.breakableKv ? { DOCUMENTS: BREAKABLE_KV.name } : {}),
        },
      },
      ...(options.unavailable ? [{ config: UNAVAILABLE }] : []),
      ...(options.breakableKv ? [{ config: BREAKABLE_KV }] : []),
    ],
  });
  const { url: address } = await server.listen();
  const worker = server.getWorker<Env>();
  return {
    url: address.origin,
    fetch: workerFetch(server, worker),
    worker,
    db: await connect(endpoint.url, HOUR_MS),
    endpoint,
    database,
    postgresUrl: url,
    kv: async (faults) => {
      const init = faults ? { method: "POST", body: JSON.stringify(faults) } : {};
      const response = await server.getWorker(BREAKABLE_KV.name).fetch("http://control/", init);
      return (await response.json()) as KvState;
    },
    env: () => worker.getEnv(),
    deliver: async (messages, queue = "lanyap-events") => {
      const consumer = (await worker.getExport()) as unknown as Consumer;
      const timestamp = new Date();
      return consumer.queue(
        queue,
        messages.map((message) => ({ attempts: 1, timestamp, ...message })),
      );
    },
    logs: () => server.getLogs().map((log) => log.message),
    rows: async (query, values) => (await pool.query(query, values)).rows,
    until,
    close: async () => {
      await server.close();
      await pool.end();
      await endpoint.close();
      await postgres.close();
    },
  };
};

let shared: Promise<Harness> | null = null;

/**
 * The harness that test files of a worker have in common, for tests that make what they look at: it says nothing of
 * whole tables, logs, or numbers of round trips. It ends with the worker.
 */
export const sharedHarness = (): Promise<Harness> => (shared ??= startHarness());
