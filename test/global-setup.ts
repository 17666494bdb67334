import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { connect } from "../db/client.ts";
import { serveSql } from "../db/local/endpoint.ts";
import { openPostgres } from "../db/local/postgres.ts";
import { seed } from "../db/seed.ts";
import { startEmbeddedPostgres } from "./db/local/embedded.ts";
import { SECRETS } from "./secrets.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The maintenance database of the Postgres server that all tests share. */
    serverUrl: string;
    /** A migrated and seeded database for tests to copy. */
    template: string;
    /** The production bundle, built once. */
    workerDir: string;
  }
}

const WORKER_DIR = "dist/test-worker";
const TEMPLATE = "lanyap_template";

const buildWorker = (root: string) =>
  execFileSync(
    process.execPath,
    ["node_modules/wrangler/bin/wrangler.js", "deploy", "--dry-run", "--outdir", WORKER_DIR],
    {
      cwd: root,
      stdio: "pipe",
      env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
    },
  );

const makeTemplate = async (serverUrl: string, migrations: string) => {
  const server = new pg.Client(serverUrl);
  await server.connect();
  await server.query(`create database ${TEMPLATE}`);
  await server.end();
  const engine = await openPostgres(serverUrl.replace(/[^/]+$/, TEMPLATE));
  const endpoint = await serveSql(engine);
  await engine.migrate(migrations);
  await seed(await connect(endpoint.url), {
    platformToken: undefined,
    tokenEncryptionKey: SECRETS.TOKEN_ENCRYPTION_KEY,
  });
  await endpoint.close();
  await engine.close();
};

/** Builds the Worker, starts Postgres and makes the database that every test copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const root = resolve(import.meta.dirname, "..");
  buildWorker(root);
  const server = await startEmbeddedPostgres();
  try {
    await makeTemplate(server.url, resolve(root, "db/migrations"));
  } catch (error) {
    await server.stop();
    throw error;
  }
  project.provide("serverUrl", server.url);
  project.provide("template", TEMPLATE);
  project.provide("workerDir", WORKER_DIR);
  return () => server.stop();
}
