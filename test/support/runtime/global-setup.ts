import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { connect } from "../../../db/core/client.ts";
import { serveSql } from "../../../db/local/endpoint.ts";
import { openPostgres } from "../../../db/local/postgres.ts";
import { prepareDatabase } from "../../../db/local/prepare.ts";
import { seed } from "../../../db/demo/seed.ts";
import { startEmbeddedPostgres, type EmbeddedServer } from "../database/embedded.ts";
import { wrangler } from "../../../functions/local/wrangler.ts";
import { SECRETS } from "../secrets.ts";
import { describeUnseen } from "../described/unseen.ts";
import { noteSeenIn } from "../described/seen.ts";
import { useTemporaryFolder } from "../database/temporary.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Names the maintenance database of the Postgres server that all tests share. */
    serverUrl: string;
    /** Names a migrated and seeded database for tests to copy. */
    template: string;
    /** Names the folder with the production bundle, which is built once. */
    workerDir: string;
  }
}

const WORKER_DIR = "dist/test-worker";
const TEMPLATE = "lanyap_template";

/** Speeds up the server: the template is copied a hundred times, and none of its data needs to outlive the server. */
const SETTINGS = ["wal_level=minimal", "max_wal_senders=0", "full_page_writes=off", "autovacuum=off"];

const makeTemplate = async (serverUrl: string, migrations: string) => {
  const server = new pg.Client(serverUrl);
  await server.connect();
  await server.query(`create database ${TEMPLATE}`);
  await server.end();
  const engine = await openPostgres(serverUrl.replace(/[^/]+$/, TEMPLATE));
  const endpoint = await serveSql(engine);
  await prepareDatabase(engine, migrations);
  await seed(connect(endpoint.url), {
    platformToken: undefined,
    tokenEncryptionKey: SECRETS.TOKEN_ENCRYPTION_KEY,
  });
  // The pace of the demo's offer changes with the time of day, and would outdate a document in the middle of any test.
  await engine.run({ query: "update offer_paces set is_on = false", params: [] });
  // As in a database that was made on an earlier day, today's weight in what is learned is not 1.
  await engine.run({ query: "update rate_network set origin = origin - 1", params: [] });
  await endpoint.close();
  await engine.close();
};

const startDatabase = async (root: string): Promise<EmbeddedServer> => {
  const server = await startEmbeddedPostgres(SETTINGS);
  try {
    await makeTemplate(server.url, resolve(root, "db/migrations"));
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
};

/**
 * Builds the Worker, starts Postgres, creates the database that every test copies, and a folder for temporary files.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const root = resolve(import.meta.dirname, "../../..");
  const [built, started] = await Promise.allSettled([
    wrangler(["deploy", "--dry-run", "--outdir", WORKER_DIR]),
    startDatabase(root),
  ]);
  if (started.status === "rejected") throw started.reason;
  const server = started.value;
  if (built.status === "rejected") {
    await server.stop();
    throw built.reason;
  }
  project.provide("serverUrl", server.url);
  project.provide("template", TEMPLATE);
  project.provide("workerDir", WORKER_DIR);
  // The tests' processes, which start later, read the folder from their environment.
  const removeFolder = await useTemporaryFolder();
  noteSeenIn(join(tmpdir(), "seen"));
  return async () => {
    const unseen = await describeUnseen(project);
    await server.stop();
    await removeFolder();
    if (unseen === null) return;
    console.error(unseen);
    process.exitCode = 1;
  };
}
