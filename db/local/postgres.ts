import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { Pool, type PoolClient, type QueryArrayConfig } from "pg";
import { type Engine, type Query, type Result, transactionMode } from "./engine.ts";
import { connectionProblem, forPg } from "./postgres-url.ts";

const CONNECT_TIMEOUT_MS = 10_000;
/** Limits how long closing waits for running statements. One may be waiting for a lock that is held for hours. */
const CLOSE_LIMIT_MS = 3_000;
// Any number will do, as long as all versions of Lanyap use the same.
const MIGRATION_LOCK = 7_106_502;
/**
 * Limits how long a migration waits for a table, and makes all others wait with it. A backup locks every table for
 * hours.
 */
const TABLE_TIMEOUT_MS = 5_000;

/**
 * Sets a session to the defaults of Postgres and Neon, in UTC: days begin at the same moment wherever a
 * statement runs, values have the text forms that are parsed here, batches see what others commit, and tables are where
 * their foreign keys look for them.
 */
const SESSION = `
  SET TIME ZONE 'UTC'; SET DateStyle = 'ISO, MDY'; SET IntervalStyle = 'postgres'; SET bytea_output = 'hex';
  SET extra_float_digits = 1; SET default_transaction_isolation = 'read committed'; SET search_path = public`;

/**
 * Opens a Postgres server over TCP.
 *
 * @throws {Problem} when the server cannot be reached or refuses the connection
 */
export const openPostgres = async (connectionString: string): Promise<Engine> => {
  const pool = new Pool({
    connectionString: forPg(connectionString),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    verify: (client, done) => client.query(SESSION, (error) => done(error)),
  });
  // The server may drop an idle connection, and without a listener that would end this process.
  pool.on("error", () => {});
  const clients = new Set<PoolClient>();
  pool.on("connect", (client) => clients.add(client.on("error", () => {})));
  pool.on("remove", (client) => clients.delete(client));
  try {
    await pool.query("SELECT 1");
  } catch (error) {
    await pool.end();
    throw connectionProblem(connectionString, error);
  }
  return {
    run: (query) => answer(pool, query),
    transaction: (queries, modes) =>
      inTransaction(pool, transactionMode(modes), async (client) => {
        const results: Result[] = [];
        for (const query of queries) results.push(await answer(client, query));
        return results;
      }),
    migrate: (folder) =>
      // The lock belongs to the transaction, so that it also works through a transaction pooler such as Neon's.
      inTransaction(pool, "", async (client) => {
        await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
        await client.query(`SET LOCAL lock_timeout = ${TABLE_TIMEOUT_MS}`);
        // Runs in this very transaction, which ends with Drizzle's: beginning one again does nothing.
        await migrate(drizzle({ client }), { migrationsFolder: folder });
      }),
    close: async () => {
      // Ending a client in the middle of a statement drops its connection.
      const late = setTimeout(() => clients.forEach((client) => void client.end()), CLOSE_LIMIT_MS);
      await pool.end();
      clearTimeout(late);
    },
  };
};

const inTransaction = async <T>(pool: Pool, mode: string, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  try {
    await client.query(`BEGIN ${mode}`);
    const result = await work(client);
    await client.query("COMMIT");
    client.release();
    return result;
  } catch (error) {
    const broken = await client.query("ROLLBACK").then(
      () => false,
      () => true,
    );
    client.release(broken);
    throw error;
  }
};

const answer = async (client: Pool | PoolClient, { query, params }: Query): Promise<Result> => {
  const { fields, rows, command, rowCount } = await client.query<(string | null)[]>(rawText(query, params));
  return { fields, rows, command: command ?? "", rowCount };
};

type RawQuery = QueryArrayConfig & { queryMode: "extended" };

// The extended protocol takes a single statement, with or without parameters, as Neon and PGlite do.
const rawText = (text: string, values: (string | null)[]): RawQuery => {
  const types = { getTypeParser: () => (value: string) => value };
  return { text, values, types, rowMode: "array", queryMode: "extended" };
};
