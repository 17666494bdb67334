import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startHarness, type Harness } from "../support/harness.ts";

let h: Harness;
let other: pg.Client;

beforeAll(async () => {
  h = await startHarness();
  other = new pg.Client(h.postgresUrl);
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await h.close();
});

const subjects = async () => {
  const rows = await h.rows<{ subject: string }>("select subject from recent_billings order by subject");
  return rows.map(({ subject }) => subject);
};

/** Removes what is old; tells whether that waited for somebody. */
const purge = async () => {
  let isDone = false;
  const done = h.cron().finally(() => {
    isDone = true;
  });
  const waits = await h.until(
    async () =>
      isDone
        ? 0
        : h.count(
            "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%recent_billings%'",
          ),
    (n) => isDone || n > 0,
  );
  return { done, waited: waits > 0 };
};

it("the cron leaves old rows that somebody counts with to the next time, and never one that was renewed", async () => {
  await h.rows(`insert into recent_billings select 'o', 'click', 's' || n, old, old
    from generate_series(1, 4) n cross join (select now() - interval '3 days' as old) t`);
  await other.query("begin");
  await other.query("update recent_billings set last_at = now() where subject = 's2'");
  await other.query("select from recent_billings where subject = 's3' for update");
  const first = await purge();
  await other.query("commit");
  await first.done;
  expect(first.waited).toBe(false);
  expect(await subjects()).toEqual(["s2", "s3"]);
  const second = await purge();
  await second.done;
  expect(await subjects()).toEqual(["s2"]);
});
