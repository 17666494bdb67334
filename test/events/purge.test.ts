import { afterAll, beforeAll, expect, it } from "vitest";
import { purgeOldRows } from "../../functions/events/removing.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { countRows } from "../support/large.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

/** Inserts a row of an age into a table. */
const TABLES: [table: string, days: number, insert: string][] = [
  ["recent_billings", 2, "insert into recent_billings values ('o', 'click', $1, $2, $2)"],
  ["counted_repeats", 30, "insert into counted_repeats values ($1, $2)"],
  ["request_flushes", 30, "insert into request_flushes values ($1, $2)"],
  ["hourly_requests", 400, "insert into hourly_requests values ($2, $1, 'US', '', '0', 1)"],
  ["request_facts", 400, "insert into request_facts (placement_id, hour, country, count) values ($1, $2, 'US', 1)"],
];

const HOUR = 3_600_000;

it.each(TABLES)(
  "the cron removes rows of %s that are %i days old, and leaves the others",
  async (table, days, insert) => {
    const limit = Date.now() - days * 24 * HOUR;
    await h.rows(insert, ["old", new Date(limit - HOUR)]);
    await h.rows(insert, ["kept", new Date(limit + HOUR)]);
    await h.worker.scheduled({ cron: "* * * * *" });
    const rows = await h.rows(`select * from ${table}`);
    expect(rows).toHaveLength(1);
    expect(Object.values(rows[0] ?? {})).toContain("kept");
  },
);

it("removes them in bounded chunks, a table after the other, until none is left", async () => {
  const old = "now() - interval '500 days' from generate_series(1, 12000) n";
  await h.rows(`insert into counted_repeats select 'r' || n, ${old}`);
  await h.rows(`insert into request_flushes select 'f' || n, ${old}`);
  const left = () =>
    Promise.all(
      ["counted_repeats where id like 'r%'", "request_flushes where id like 'f%'"].map((query) => countRows(h, query)),
    );
  let chunks = TABLES.length;
  await purgeOldRows(await h.env(), () => chunks-- > 0);
  expect(await left()).toEqual([7_000, 7_000]);
  await h.worker.scheduled({ cron: "* * * * *" });
  expect(await left()).toEqual([0, 0]);
});
