import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { PGlite, type QueryOptions, type Results, type Transaction } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import { type Engine, type Query, type Result, transactionMode } from "./engine.ts";
import { takeLock } from "./lock.ts";
import { openingProblem } from "./opening-problem.ts";
import { Problem } from "./problem.ts";

/** Opens the embedded Postgres. Call it through `openPglite`, which sets a flag first. */
export const openEmbedded = async (dataDir?: string): Promise<Engine> => {
  const release = dataDir === undefined ? () => {} : takeLock(`${dataDir}.lock`);
  try {
    if (dataDir !== undefined && isVacant(dataDir)) await initialise(dataDir);
    else if (dataDir !== undefined) requireWhole(dataDir);
    const pg = await PGlite.create(dataDir === undefined ? {} : { dataDir });
    const answer = answering(await rawText(pg));
    const inTurn = takingTurns();
    return {
      run: (query) => inTurn(() => answer(pg, query)),
      transaction: (queries, modes) =>
        inTurn(() =>
          pg.transaction(async (tx) => {
            const mode = transactionMode(modes);
            if (mode !== "") await tx.exec(`SET TRANSACTION ${mode}`);
            const results: Result[] = [];
            for (const query of queries) results.push(await answer(tx, query));
            return results;
          }),
        ),
      migrate: (folder) => migrate(drizzle({ client: pg }), { migrationsFolder: folder }),
      close: async () => {
        await pg.close();
        release();
      },
    };
  } catch (error) {
    release();
    if (dataDir === undefined || error instanceof Problem) throw error;
    throw openingProblem(dataDir, PARTS, error);
  }
};

const BROKEN = "the embedded Postgres broke off a statement; stop Lanyap and start it again";

/** Lists what every Postgres has in its folder. PGlite creates a new database over a folder that lacks the first. */
const PARTS = ["PG_VERSION", "base", "global/pg_control"];

const isVacant = (dataDir: string): boolean =>
  !existsSync(dataDir) || (statSync(dataDir).isDirectory() && readdirSync(dataDir).length === 0);

/** Refuses a folder that no Postgres could have left in this state: it may hold what somebody needs. */
const requireWhole = (dataDir: string): void => {
  const missing = PARTS.find((part) => !existsSync(join(dataDir, part)));
  if (missing === undefined) return;
  throw new Problem(
    `${dataDir} looks damaged: ${missing} is missing. Nothing was changed. Bring back what is missing, or move that folder away to start afresh.`,
  );
};

// A cluster whose creation was interrupted never starts, so it is created elsewhere and then moved.
const initialise = async (dataDir: string): Promise<void> => {
  const unfinished = `${dataDir}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  const pg = await PGlite.create({ dataDir: unfinished });
  await pg.close();
  renameSync(unfinished, dataDir);
};

/**
 * Makes a function that runs one task after the other. PGlite has one connection and a queue of its own, which goes on
 * to run what is queued even after a statement broke off.
 */
const takingTurns = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work);
    last = turn;
    return turn;
  };
};

/**
 * Makes a function that runs a statement. If WebAssembly runs out of stack in the middle of one, PGlite goes on without
 * an error and without the command tag, and may hang at the next statement. So nothing more is run then.
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

// PGlite converts values by type id in both directions. Only a converter for the same id replaces its own.
const rawText = async (pg: PGlite): Promise<QueryOptions> => {
  const { rows } = await pg.query<[number]>("select oid::int from pg_type", [], {
    rowMode: "array",
  });
  const identity = Object.fromEntries(rows.map(([oid]) => [oid, (text: string) => text]));
  return { rowMode: "array", parsers: identity, serializers: identity };
};
