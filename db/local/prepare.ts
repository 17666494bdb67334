import { sql } from "drizzle-orm";
import { connect } from "../core/client.ts";
import { routines } from "../documents/routines.ts";
import type { Engine } from "./engine.ts";

/**
 * Says how many versions of a routine a database keeps. Each deployment makes one at most, so these include the
 * versions of all Workers that still run.
 */
const KEPT = 5;

/**
 * Sets how long a database may take to create the routines, in milliseconds. On a busy machine that takes longer than a
 * request may.
 */
const TIME_LIMIT_MS = 60_000;

/** Keeps two processes that prepare a database at the same time from replacing the same routine. Any number will do. */
const LOCK = "select pg_advisory_xact_lock(7106503)";

const dropOlder = (names: readonly string[]): string => `
  do $$
  declare older regprocedure;
  begin
    for older in
      select oid from (
        select oid, proname, row_number() over (partition by split_part(proname, '_', 2) order by oid desc) as nth
        from pg_proc where pronamespace = current_schema()::regnamespace and proname ~ '^document_[a-z]+_[0-9a-f]{12}$') all_versions
      where nth > ${KEPT} and proname <> all (array[${names.map((name) => `'${name}'`).join()}])
    loop
      execute format('drop function %s', older);
    end loop;
  end $$`;

/** Returns the statements that create the routines, to be run in one transaction. Routines of other versions stay. */
const creation = (): string[] => Object.values(routines()).map(({ definition }) => definition);

/**
 * Brings a database to what this version of the Worker needs: its tables, by the migrations of a folder, and its
 * routines. Routines of the last few versions stay for the Workers that call them.
 */
export const prepareDatabase = async (engine: Engine, folder: string): Promise<void> => {
  await engine.migrate(folder);
  const names = Object.values(routines()).map(({ name }) => name);
  const statements = [LOCK, ...creation(), dropOlder(names)];
  await engine.transaction(statements.map((query) => ({ query, params: [] })));
};

/**
 * Creates this version's routines in a database that has its tables, and that others use meanwhile. It drops none:
 * otherwise each rebuild of an edited Worker would push out one that another Worker calls.
 *
 * @param url the connection string of a Worker's client
 * @throws {Error} when the database cannot be reached, or refuses a routine; then it has none of them
 */
export const bringRoutines = async (url: string): Promise<void> => {
  const db = connect(url, TIME_LIMIT_MS);
  await db.batch([db.execute(sql.raw(LOCK)), ...creation().map((statement) => db.execute(sql.raw(statement)))]);
};
