import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { updatePublisher } from "../../../db/accounts/publishers/publishers.ts";
import { makePublisher } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
let other: pg.Client;

beforeAll(async () => {
  h = await startHarness();
  other = new pg.Client(h.postgresUrl);
  await other.connect();
});
afterEach(async () => {
  await other.query("rollback");
});
afterAll(async () => {
  await other.end();
  await h.close();
});

const waiting = () => h.count("pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'");

it.each([
  ["name", { name: "Renamed meanwhile" }, "for key share"],
  ["contact", { contactName: "Somebody" }, "for no key update"],
])("a publisher whose %s waits for what else is done with it keeps no other waiting", async (_, change, lock) => {
  const [busy, free] = [await makePublisher(h.db), await makePublisher(h.db)];
  await other.query("begin");
  await other.query(`select from publishers where id = $1 ${lock}`, [busy.id]);
  const held = updatePublisher(h.db, busy.id, change);
  await h.until(waiting, (n) => n > 0);
  let isDone = false;
  const changed = updatePublisher(h.db, free.id, { name: `${free.name} anew` }).finally(() => {
    isDone = true;
  });
  await h.until(waiting, (n) => isDone || n > 1);
  expect(isDone).toBe(true);
  await other.query("commit");
  expect(await changed).toMatchObject({ value: { name: `${free.name} anew` } });
  expect(await held).toMatchObject({ value: { id: busy.id } });
  expect(await h.count(`publishers where name = '${free.name} anew'`)).toBe(1);
});
