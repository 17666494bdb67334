import { sql } from "drizzle-orm";
import { connect } from "../core/client.ts";
import { routines } from "../documents/routines.ts";
import type { Engine } from "./engine.ts";

/** Says how many versions of a routine a database keeps: that of the Worker that still runs is among them. */
const KEPT = 5;

/** Keeps two that prepare a database at the same time from replacing the same routine. Any number will do. */
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

/** Returns what creates the routines that are missing, to be run in one transaction. */
const routineStatements = (): string[] => {
  const needed = Object.values(routines());
  return [LOCK, ...needed.map(({ definition }) => definition), dropOlder(needed.map(({ name }) => name))];
};

/**
 * Brings a database to what this version of the Worker needs: its tables, by the migrations of a folder, and its routines.
 * Those of the versions before stay for the Workers that call them.
 */
export const prepareDatabase = async (engine: Engine, folder: string): Promise<void> => {
  await engine.migrate(folder);
  await engine.transaction(routineStatements().map((query) => ({ query, params: [] })));
};

/**
 * Brings the routines of this version to a database that has its tables, and that others use meanwhile.
 *
 * @param url the connection string of a Worker's client
 * @throws {Error} when the database cannot be reached, or refuses one of them; then it has none of them
 */
export const bringRoutines = async (url: string): Promise<void> => {
  const db = connect(url);
  const [first = "", ...others] = routineStatements();
  await db.batch([db.execute(sql.raw(first)), ...others.map((statement) => db.execute(sql.raw(statement)))]);
};
