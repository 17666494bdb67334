import pg from "pg";
import { inject } from "vitest";
import { createTestHarness, type WorkerHandle } from "wrangler";
import { connect, type Db } from "../../db/core/client.ts";
import { serveSql, type SqlEndpoint } from "../../db/local/endpoint.ts";
import type { Engine, Query } from "../../db/local/engine.ts";
import { openPostgres } from "../../db/local/postgres.ts";
import { makeDatabase } from "./database/database.ts";
import { SECRETS } from "./secrets.ts";
import { watched } from "./described/watch.ts";
import { workerFetch, type WorkerFetch } from "./worker-fetch.ts";

/** Describes a message as a queue delivers it. */
export type Delivered = { id: string; body: unknown; attempts?: number; timestamp?: Date };

/** Describes what a consumer did with a batch. */
export type Verdict = {
  outcome: string;
  ackAll: boolean;
  retryBatch: { retry: boolean; delaySeconds?: number };
  explicitAcks: string[];
  retryMessages: { msgId: string; delaySeconds?: number }[];
};

/** Describes the queue event of a Worker, which the Worker's types leave out. */
type Consumer = {
  queue: (name: string, messages: Required<Delivered>[]) => Promise<Verdict>;
};

/** Holds a running Worker with a database of its own, which is seeded with the demo network. */
export type Harness = {
  /** Holds the Worker's address for programs outside the tests, without a trailing slash. */
  url: string;
  fetch: WorkerFetch;
  worker: WorkerHandle<Env>;
  db: Db;
  endpoint: SqlEndpoint;
  /**
   * Changes the database as the Worker sees it. It is unreachable while `down`, and its answers are held back while
   * there is a `hold`: `held` counts the statements that have run and wait. `trips` lists the statements of each round
   * trip.
   */
  database: { down: boolean; hold: Promise<void> | null; held: number; trips: string[][] };
  /** Holds the connection string of the database itself, for another harness with the same database. */
  postgresUrl: string;
  /**
   * Returns what the KV of a harness with `breakableKv` was asked so far, and its faults. Sets the faults that are
   * given.
   */
  kv: (faults?: Partial<KvState>) => Promise<KvState>;
  env: () => Promise<Env>;
  /** Runs the duties of the cron once, as happens each minute. */
  cron: () => ReturnType<WorkerHandle<Env>["scheduled"]>;
  /** Hands a batch of a queue to the Worker's consumer, and returns what the consumer did with it. */
  deliver: (messages: readonly Delivered[], queue?: string) => Promise<Verdict>;
  logs: () => string[];
  /** Returns the rows of a query, as objects; in random order where the query has no `order by`. */
  rows: <Row extends pg.QueryResultRow>(query: string, values?: unknown[]) => Promise<Row[]>;
  /** Counts rows; the query is what follows a `from`. */
  count: (query: string, values?: unknown[]) => Promise<number>;
  /**
   * Calls `ask` until its answer satisfies a condition, and returns that answer.
   *
   * @throws {Error} with the last answer when the time is up
   */
  until: <T>(ask: () => Promise<T>, holds: (answer: T) => boolean, limitMs?: number) => Promise<T>;
  close: () => Promise<void>;
};

/** Counts the reads and writes of a KV namespace so far, and names its faults. */
export type KvState = {
  reads: number;
  writes: number;
  get: "none" | "fail" | "hang";
  put: "none" | "fail" | "hang" | "lose";
};

const BREAKABLE_KV = {
  name: "breakable-kv",
  main: "test/support/faults/kv-worker.ts",
  compatibility_date: "2026-11-01",
};
const UNAVAILABLE = {
  name: "unavailable",
  main: "test/support/runtime/unavailable.ts",
  compatibility_date: "2026-11-01",
};

/** Limits the queries of tests, in milliseconds, to more time than any test file takes. */
const HOUR_MS = 3_600_000;
const UNTIL_MS = 180_000;
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

/**
 * Wraps a database with the faults that {@link Harness.database} switches on. A query that has begun still finishes.
 */
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

/**
 * Puts rows in random order where a query asks for none. Postgres may change their order at any time; this way, every
 * test notices.
 */
const inNoOrder = <Row>(query: string, rows: Row[]): Row[] =>
  /\border by\b/i.test(query)
    ? rows
    : rows
        .map((row) => ({ row, chance: Math.random() }))
        .toSorted((a, b) => a.chance - b.chance)
        .map(({ row }) => row);

/** Starts the production bundle with KV, queues and Durable Objects, and a fresh copy of the seeded database. */
export const startHarness = async (
  options: {
    vars?: Record<string, string>;
    secrets?: Record<string, string>;
    databaseUrl?: string;
    /** Lists bindings whose every method fails. */
    unavailable?: ("EVENTS" | "DOCUMENTS" | "DEAD_LETTERS")[];
    /** Keeps documents in a KV of its own that {@link Harness.kv} breaks. */
    breakableKv?: boolean;
    /** Names an existing database to use instead of a fresh one. */
    postgresUrl?: string;
  } = {},
): Promise<Harness> => {
  const url = options.postgresUrl ?? (await makeDatabase(inject("template")));
  const postgres: Engine = await openPostgres(url);
  const { engine, database, onRequest } = breakable(postgres);
  const endpoint = await serveSql(engine, { onRequest });
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const rows: Harness["rows"] = async (query, values) => inNoOrder(query, (await pool.query(query, values)).rows);
  const server = createTestHarness({
    workers: [
      {
        configPath: "wrangler.toml",
        prebuiltWorkerDir: inject("workerDir"),
        secrets: { ...SECRETS, DATABASE_URL: options.databaseUrl ?? endpoint.url, ...options.secrets },
        // Tests see at once what is in KV, and may write without limit; tests of the memory tier and of limits override
        // this.
        vars: { DOCUMENT_FRESH_MS: "0", WRITES_PER_MINUTE: "1000000", ...options.vars },
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
    fetch: watched(workerFetch(server, worker)),
    worker,
    db: connect(endpoint.url, HOUR_MS),
    endpoint,
    database,
    postgresUrl: url,
    kv: async (faults) => {
      const init = faults ? { method: "POST", body: JSON.stringify(faults) } : {};
      const response = await server.getWorker(BREAKABLE_KV.name).fetch("http://control/", init);
      return (await response.json()) as KvState;
    },
    env: () => worker.getEnv(),
    cron: () => worker.scheduled({ cron: "* * * * *" }),
    deliver: async (messages, queue = "lanyap-events") => {
      const consumer = (await worker.getExport()) as unknown as Consumer;
      const timestamp = new Date();
      return consumer.queue(
        queue,
        messages.map((message) => ({ attempts: 1, timestamp, ...message })),
      );
    },
    logs: () => server.getLogs().map((log) => log.message),
    rows,
    count: async (query, values) =>
      Number((await rows<{ n: string }>(`select count(*) as n from ${query}`, values))[0]?.n),
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
 * Returns the harness that the test files of a process share. It is for tests that make all that they look at: such
 * tests assert nothing about whole tables, logs or numbers of round trips. The harness ends with the process.
 */
export const sharedHarness = (): Promise<Harness> => (shared ??= startHarness());
