import pg from "pg";
import { inject } from "vitest";
import { connect, type Db } from "../../../db/core/client.ts";
import { serveSql } from "../../../db/local/endpoint.ts";
import { openPostgres } from "../../../db/local/postgres.ts";
import { makeDatabase } from "./database.ts";

/** Holds a database for tests of queries, which need no Worker. */
export type OpenDatabase = { db: Db; pool: pg.Pool; close: () => Promise<void> };

const HOUR_MS = 3_600_000;

/** Opens a fresh copy of the seeded database. */
export const openDatabase = async (): Promise<OpenDatabase> => {
  const url = await makeDatabase(inject("template"));
  const engine = await openPostgres(url);
  const endpoint = await serveSql(engine);
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
