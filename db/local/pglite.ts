import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { PGlite, type QueryOptions, type Results, type Transaction } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import { type Engine, type Query, type Result, transactionMode } from "./engine.ts";
import { takeLock } from "./lock.ts";
import { Problem } from "./problem.ts";

// Node may crash when it frees WebAssembly code that it compiled better meanwhile (nodejs/node#64500). Kept, that code takes
// about a megabyte for each PGlite.
setFlagsFromString("--no-wasm-code-gc");

/**
 * Opens the embedded Postgres: in memory, or with its data in `dataDir`, which is created if it is missing.
 *
 * @throws {Problem} when another process has `dataDir` open, or `dataDir` holds anything else
 */
export const openPglite = async (dataDir?: string): Promise<Engine> => {
  const release = dataDir === undefined ? () => {} : takeLock(`${dataDir}.lock`);
  try {
    if (dataDir !== undefined && isVacant(dataDir)) await initialise(dataDir);
    else if (dataDir !== undefined) requireWhole(dataDir);
    const pg = await PGlite.create(dataDir === undefined ? {} : { dataDir });
    const answer = answering(await rawText(pg));
    return {
      run: async (query) => answer(pg, query),
      // PGlite has one connection, and its transaction() keeps every other statement out.
      transaction: (queries, modes) =>
        pg.transaction(async (tx) => {
          const mode = transactionMode(modes);
          if (mode !== "") await tx.exec(`SET TRANSACTION ${mode}`);
          const results: Result[] = [];
          for (const query of queries) results.push(await answer(tx, query));
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
    if (dataDir === undefined || error instanceof Problem) throw error;
    // Loaded only here: the more Node reads before the flag above is set, the more compiled code it frees.
    const { openingProblem } = await import("./opening-problem.ts");
    throw openingProblem(dataDir, PARTS, error);
  }
};

const BROKEN = "the embedded Postgres broke off a statement; stop Lanyap and start it again";

/** Lists what every Postgres has in its folder. PGlite makes a new database over whatever lacks the first. */
const PARTS = ["PG_VERSION", "base", "global/pg_control"];

const isVacant = (dataDir: string): boolean =>
  !existsSync(dataDir) || (statSync(dataDir).isDirectory() && readdirSync(dataDir).length === 0);

/** Refuses a folder that no Postgres could have left so: it may hold what somebody needs. */
const requireWhole = (dataDir: string): void => {
  const missing = PARTS.find((part) => !existsSync(join(dataDir, part)));
  if (missing === undefined) return;
  throw new Problem(
    `${dataDir} looks damaged: ${missing} is missing. Nothing was changed. Bring back what is missing, or move that folder away to start afresh.`,
  );
};

// A cluster that was interrupted while it was being created never starts, so it is created elsewhere and then moved.
const initialise = async (dataDir: string): Promise<void> => {
  const unfinished = `${dataDir}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  const pg = await PGlite.create({ dataDir: unfinished });
  await pg.close();
  renameSync(unfinished, dataDir);
};

/**
 * Makes what runs a statement. Where WebAssembly runs out of its stack in the middle of one, PGlite goes on without an error
 * and without the word that tells what was done, and may hang at the next. So nothing more is run then.
 */
const answering = (options: QueryOptions) => {
  let isBroken = false;
  return async (pg: Pick<PGlite | Transaction, "query">, { query, params }: Query): Promise<Result> => {
    if (isBroken) throw new Error(BROKEN);
    const { fields, rows, command, rowCount }: Results<(string | null)[]> = await pg.query(query, params, options);
    isBroken = command === undefined && query.trim() !== "";
    if (isBroken) throw new Error(BROKEN);
    return { fields, rows, command: command ?? "", rowCount: rowCount ?? null };
  };
};

// PGlite converts values by type id in both directions. Only a converter for that very id replaces its own.
const rawText = async (pg: PGlite): Promise<QueryOptions> => {
  const { rows } = await pg.query<[number]>("select oid::int from pg_type", [], {
    rowMode: "array",
  });
  const identity = Object.fromEntries(rows.map(([oid]) => [oid, (text: string) => text]));
  return { rowMode: "array", parsers: identity, serializers: identity };
};
