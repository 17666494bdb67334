import pg from "pg";
import { inject } from "vitest";
import { connect, type Db } from "../../../db/core/client.ts";
import { serveSql } from "../../../db/local/endpoint.ts";
import type { Engine, Result } from "../../../db/local/engine.ts";
import { openPostgres } from "../../../db/local/postgres.ts";
import { makeDatabase } from "./database.ts";

/** Holds a database for tests of queries, which need no Worker. */
export type OpenDatabase = { db: Db; pool: pg.Pool; close: () => Promise<void> };

const HOUR_MS = 3_600_000;

/** Runs statements in a time zone, as in a database that is set to it. */
const inZone = (engine: Engine, timeZone: string): Engine => {
  const set = { query: "select set_config('timezone', $1, true)", params: [timeZone] };
  const transaction: Engine["transaction"] = async (queries, options) =>
    (await engine.transaction([set, ...queries], options)).slice(1);
  return { ...engine, transaction, run: async (query) => (await transaction([query]))[0] as Result };
};

/**
 * Opens a fresh copy of the seeded database.
 *
 * @param timeZone that of the sessions of `db`
 */
export const openDatabase = async (timeZone = "UTC"): Promise<OpenDatabase> => {
  const url = await makeDatabase(inject("template"));
  const engine = await openPostgres(url);
  const endpoint = await serveSql(inZone(engine, timeZone));
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  return {
    db: connect(endpoint.url, HOUR_MS),
    pool,
    close: async () => {
      await pool.end();
      await endpoint.close();
      await engine.close();
    },
  };
};
