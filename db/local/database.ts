import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { serveSql } from "./endpoint.ts";
import type { Engine } from "./engine.ts";
import { openPglite } from "./pglite.ts";
import { describeUrl, isNeon, isRemote, parsePostgresUrl } from "./postgres-url.ts";
import { openPostgres } from "./postgres.ts";
import { prepareDatabase } from "./prepare.ts";

/** Describes the database that a DATABASE_URL leads to, before anything is opened. */
export type DatabaseTarget = {
  /** Names the database in one line for the terminal, without secrets. */
  description: string;
  /** Names a folder for this database alone, since documents in KV belong to the database that they were built from. */
  stateDir: string;
  /** Tells whether the database is on another machine, so that others may use it, too. */
  isRemote: boolean;
  /**
   * Opens the database, with the tables and routines that this version needs. If it has no tables yet, it is not the
   * database of the last run, and `stateDir` is removed.
   *
   * @throws {Problem} when the database cannot be opened
   */
  open: () => Promise<Database>;
};

/** Describes a prepared database that the Worker can reach. */
export type Database = {
  /** Holds the connection string for the Worker's client, db/core/client.ts. */
  url: string;
  close: () => Promise<void>;
};

/**
 * Chooses the database of a local run. Without a URL it is the embedded Postgres under `dataDir`. A Neon database is
 * reached directly, any other Postgres through a local endpoint.
 *
 * @throws {Problem} when the URL is malformed
 */
export const chooseDatabase = (
  databaseUrl: string | undefined,
  dataDir: string,
  migrations: string,
): DatabaseTarget => {
  const stateOf = (name: string) => join(dataDir, "wrangler", name);
  const preparing = (stateDir: string) => async (engine: Engine) => {
    if (await isEmpty(engine)) rmSync(stateDir, { recursive: true, force: true });
    await prepareDatabase(engine, migrations);
  };
  if (databaseUrl === undefined) {
    const folder = join(dataDir, "postgres");
    const stateDir = stateOf("embedded");
    const open = async () => serve(await openPglite(folder), preparing(stateDir));
    return { description: "Postgres (embedded)", stateDir, isRemote: false, open };
  }
  const url = parsePostgresUrl(databaseUrl);
  const where = describeUrl(url);
  const stateDir = stateOf(createHash("sha256").update(where).digest("hex").slice(0, 16));
  const prepare = preparing(stateDir);
  if (!isNeon(url)) {
    const open = async () => serve(await openPostgres(databaseUrl), prepare);
    return { description: `Postgres (${where})`, stateDir, isRemote: isRemote(url), open };
  }
  return {
    description: `Neon (${where})`,
    stateDir,
    isRemote: true,
    open: async () => {
      const engine = await openPostgres(databaseUrl);
      try {
        await prepare(engine);
      } finally {
        await engine.close();
      }
      return { url: databaseUrl, close: async () => {} };
    },
  };
};

/** Tells whether a database lacks the tables: it is new, or was emptied. */
const isEmpty = async (engine: Engine): Promise<boolean> => {
  const { rows } = await engine.run({ query: "select to_regclass('public.publishers') is null", params: [] });
  return rows[0]?.[0] === "t";
};

const serve = async (engine: Engine, prepare: (engine: Engine) => Promise<void>): Promise<Database> => {
  try {
    await prepare(engine);
    const endpoint = await serveSql(engine);
    const close = async () => {
      await endpoint.close();
      await engine.close();
    };
    return { url: endpoint.url, close };
  } catch (error) {
    await engine.close();
    throw error;
  }
};
