import { createHash } from "node:crypto";
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
  /** Names a folder for this database alone, since documents in KV belong to the database they were built from. */
  name: string;
  /** Tells whether others may reach the database, too: it is not on this machine. */
  isRemote: boolean;
  /**
   * Opens the database, with the tables and routines that this version needs.
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
  if (databaseUrl === undefined) {
    const folder = join(dataDir, "postgres");
    return {
      description: "Postgres (embedded)",
      name: "embedded",
      isRemote: false,
      open: async () => serve(await openPglite(folder), migrations),
    };
  }
  const url = parsePostgresUrl(databaseUrl);
  const where = describeUrl(url);
  const name = createHash("sha256").update(where).digest("hex").slice(0, 16);
  if (!isNeon(url)) {
    const open = async () => serve(await openPostgres(databaseUrl), migrations);
    return { description: `Postgres (${where})`, name, isRemote: isRemote(url), open };
  }
  return {
    description: `Neon (${where})`,
    name,
    isRemote: true,
    open: async () => {
      const engine = await openPostgres(databaseUrl);
      try {
        await prepareDatabase(engine, migrations);
      } finally {
        await engine.close();
      }
      return { url: databaseUrl, close: async () => {} };
    },
  };
};

const serve = async (engine: Engine, migrations: string): Promise<Database> => {
  try {
    await prepareDatabase(engine, migrations);
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
