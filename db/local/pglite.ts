import { existsSync, renameSync, rmSync } from "node:fs";
import { PGlite, type QueryOptions, type Results, type Transaction } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import { type Engine, type Query, type Result, transactionMode } from "./engine.ts";
import { takeLock } from "./lock.ts";
import { Problem } from "./problem.ts";

/**
 * Opens the embedded Postgres, in memory or kept in `dataDir` (made when it is not there).
 * @throws Problem when another process has the same `dataDir` open, or it holds something else
 */
export const openPglite = async (dataDir?: string): Promise<Engine> => {
  const release = dataDir === undefined ? () => {} : takeLock(`${dataDir}.lock`);
  try {
    if (dataDir !== undefined && !existsSync(dataDir)) await initialise(dataDir);
    const pg = await PGlite.create(dataDir === undefined ? {} : { dataDir });
    const options = await rawText(pg);
    return {
      run: async (query) => answer(pg, query, options),
      // PGlite is one connection: its transaction() keeps every other statement out.
      transaction: (queries, modes) =>
        pg.transaction(async (tx) => {
          const mode = transactionMode(modes);
          if (mode !== "") await tx.exec(`SET TRANSACTION ${mode}`);
          const results: Result[] = [];
          for (const query of queries) results.push(await answer(tx, query, options));
          return results;
        }),
      migrate: (folder) => migrate(drizzle({ client: pg }), { migrationsFolder: folder }),
      close: async () => {
        await pg.close();
        release();
      },
    };
  } catch (error) {
    release();
    if (dataDir === undefined) throw error;
    const cause = (error instanceof Error && error.message) || "not the data of this Postgres";
    throw new Problem(`the embedded Postgres cannot open ${dataDir} (${cause}); delete that folder to start afresh.`);
  }
};

// A cluster whose making was interrupted never starts again, so it is made beside its place and moved there.
const initialise = async (dataDir: string): Promise<void> => {
  const making = `${dataDir}.new`;
  rmSync(making, { recursive: true, force: true });
  const pg = await PGlite.create({ dataDir: making });
  await pg.close();
  renameSync(making, dataDir);
};

const answer = async (
  pg: Pick<PGlite | Transaction, "query">,
  { query, params }: Query,
  options: QueryOptions,
): Promise<Result> => {
  const result: Results<(string | null)[]> = await pg.query(query, params, options);
  return {
    fields: result.fields,
    rows: result.rows,
    command: result.command ?? "",
    rowCount: result.rowCount ?? null,
  };
};

// PGlite converts by type id in both directions; only a converter of that id's own replaces its built-in one.
const rawText = async (pg: PGlite): Promise<QueryOptions> => {
  const { rows } = await pg.query<[number]>("select oid::int from pg_type", [], {
    rowMode: "array",
  });
  const identity = Object.fromEntries(rows.map(([oid]) => [oid, (text: string) => text]));
  return { rowMode: "array", parsers: identity, serializers: identity };
};
