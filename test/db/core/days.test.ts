import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { daysLong } from "../../../db/core/days.ts";
import { newId } from "../../../db/core/ids.ts";
import { findConversion } from "../../../db/tracking/conversions/find.ts";
import { readOverview } from "../../../db/tracking/overview.ts";
import { purgeSome } from "../../../db/tracking/purge.ts";
import { openDatabase, type OpenDatabase } from "../../support/database/opened.ts";
import { DAY, MINUTE } from "../../support/tracking/hits.ts";

/** Counts the whole days of a year before a time, in milliseconds since 1970. */
const dayOfYear = (time: number): number => Math.floor((time - Date.UTC(new Date(time).getUTCFullYear(), 0)) / DAY);

/** Writes a time zone in the POSIX form whose clocks were put an hour ahead yesterday: that day has 23 hours. */
const justAhead = (now: number): string => `AAA0BBB,${dayOfYear(now - DAY)}/0,${dayOfYear(now + 90 * DAY)}/0`;

let database: OpenDatabase;
beforeAll(async () => {
  database = await openDatabase(justAhead(Date.now()));
});
afterAll(() => database.close());

/** Tells how many seconds of the UTC day have passed. */
const second = () => Math.floor((Date.now() % DAY) / 1_000);

const ago = (time: number) => new Date(Date.now() - time);

it("days have 24 hours where the clocks of the session's zone were changed", async () => {
  const { rows } = await database.db.execute(sql`
    select extract(epoch from now() - (now() - ${daysLong(7)}))::int / 3600 as ours,
      extract(epoch from now() - (now() - interval '7 days'))::int / 3600 as usual`);
  expect(rows).toEqual([{ ours: 168, usual: 167 }]);
});

it("rows are kept for whole days", async () => {
  const id = newId("event");
  await database.pool.query("insert into counted_repeats values ($1, $2)", [id, ago(2 * DAY - 30 * MINUTE)]);
  await purgeSome(database.db, [{ table: "counted_repeats", from: "received_at", days: 2 }]);
  expect((await database.pool.query("select id from counted_repeats where id = $1", [id])).rows).toEqual([{ id }]);
});

it("a conversion waits for its click for whole days", async () => {
  const transaction = { advertiserId: newId("advertiser"), transactionId: "t" };
  await database.pool.query("insert into pending_conversions values ($1, 't', $2, 'd', 'o', null, null, $3)", [
    transaction.advertiserId,
    newId("event"),
    ago(7 * DAY - 30 * MINUTE),
  ]);
  expect(await findConversion(database.db, transaction)).toMatchObject({ state: "pending" });
});

it("the overview compares the day with the same time a week ago", async () => {
  await database.pool.query(
    `insert into daily_counters (day, placement_id, offer_id, advertiser_id, country, site_id, publisher_id, requests)
    values ((now() at time zone 'UTC')::date - 7, 'p', '', '', 'US', 's', 'b', 86400)`,
  );
  const from = second();
  const { lastWeek } = await readOverview(database.db, { kind: "admin" });
  expect(lastWeek.requests).toBeGreaterThanOrEqual(from);
  expect(lastWeek.requests).toBeLessThanOrEqual(second() + 1);
});
