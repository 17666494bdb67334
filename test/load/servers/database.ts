import { join } from "node:path";
import pg from "pg";
import { connect } from "../../../db/core/client.ts";
import { serveSql, type SqlEndpoint } from "../../../db/local/endpoint.ts";
import type { Query, Result } from "../../../db/local/engine.ts";
import { openPostgres } from "../../../db/local/postgres.ts";
import { prepareDatabase } from "../../../db/local/prepare.ts";
import { seedCategories } from "../../../db/demo/seed.ts";
import { startEmbeddedPostgres } from "../../support/database/embedded.ts";
import { ROOT } from "../../../functions/local/wrangler.ts";
import { fill, type Size } from "./fill.ts";
import type { Resources } from "./resources.ts";

const TEMPLATE = "bench_template";

/** Counts what the Worker asked of the database: round trips for answers, those for publishing, and bytes. */
export type Asked = { serving: number; publishing: number; bytes: number };

/** Describes a database behind an SQL endpoint of its own. */
export type Database = {
  url: string;
  pool: pg.Pool;
  endpoint: SqlEndpoint;
  asked: Asked;
  /** Returns the last statement that built documents for an answer. */
  lastServing: () => Query | undefined;
};

/** Makes databases of given sizes on one server. */
export type Databases = (size: Size) => Promise<Database>;

const isPublishing = (queries: readonly Query[]): boolean =>
  queries.some(({ query }) => query.includes("publish_outbox"));

const sizeOf = (results: readonly Result[]): number =>
  results.reduce((sum, { rows }) => sum + rows.flat().reduce((bytes, value) => bytes + (value?.length ?? 0), 0), 0);

const open = async (url: string, resources: Resources): Promise<Database> => {
  const engine = await openPostgres(url);
  resources.add(() => engine.close());
  const asked: Asked = { serving: 0, publishing: 0, bytes: 0 };
  let last: Query | undefined;
  const counted = (results: Result[]): Result[] => {
    asked.bytes += sizeOf(results);
    return results;
  };
  const endpoint = await serveSql(
    {
      ...engine,
      run: async (query) => counted([await engine.run(query)])[0] as Result,
      transaction: async (queries, modes) => counted(await engine.transaction(queries, modes)),
    },
    {
      onRequest: (queries) => {
        if (isPublishing(queries)) asked.publishing += 1;
        else {
          asked.serving += 1;
          last = queries[0];
        }
      },
    },
  );
  resources.add(() => endpoint.close());
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on("error", () => {});
  resources.add(() => pool.end());
  return { url: endpoint.url, pool, endpoint, asked, lastServing: () => last };
};

const makeTemplate = async (serverUrl: string): Promise<void> => {
  const engine = await openPostgres(serverUrl.replace(/[^/]+$/, TEMPLATE));
  const endpoint = await serveSql(engine);
  try {
    await prepareDatabase(engine, join(ROOT, "db/migrations"));
    await seedCategories(connect(endpoint.url));
  } finally {
    await endpoint.close();
    await engine.close();
  }
};

/** Starts a Postgres server, and returns a function that makes databases on it. */
export const startDatabases = async (resources: Resources): Promise<Databases> => {
  const server = await startEmbeddedPostgres();
  resources.add(() => server.stop());
  const admin = new pg.Pool({ connectionString: server.url, max: 1 });
  admin.on("error", () => {});
  resources.add(() => admin.end());
  await admin.query(`create database ${TEMPLATE}`);
  await makeTemplate(server.url);
  let count = 0;
  return async (size) => {
    count += 1;
    const name = `bench_${count}`;
    await admin.query(`create database ${name} template ${TEMPLATE}`);
    const database = await open(server.url.replace(/[^/]+$/, name), resources);
    await fill(database.pool, size);
    return database;
  };
};
