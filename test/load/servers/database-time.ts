import { readFile } from "node:fs/promises";
import type pg from "pg";
import { median } from "../traffic/rounds.ts";

/**
 * Measures the processor time that the database takes for a statement: the median, in milliseconds. Other work of the
 * machine does not count. The session has run such a statement before, as most sessions have, so it has its plans
 * already.
 *
 * @param valuesOf the parameters of each run
 */
export const databaseTime = async (
  pool: pg.Pool,
  text: string,
  valuesOf: readonly (readonly unknown[])[],
): Promise<number> => {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const used = async () => Number((await readFile(`/proc/${rows[0]?.pid}/schedstat`, "utf8")).split(" ", 1)[0]) / 1e6;
    await client.query(text, [...(valuesOf[0] ?? [])]);
    const times: number[] = [];
    for (const values of valuesOf) {
      const before = await used();
      await client.query(text, [...values]);
      times.push((await used()) - before);
    }
    return median(times);
  } finally {
    client.release();
  }
};
