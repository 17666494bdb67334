import pg from "pg";
import { expect, it } from "vitest";
import { connect } from "../../../db/core/client.ts";
import { platforms, publishers } from "../../../db/schema/accounts.ts";
import { serveSql } from "../../../db/local/endpoint.ts";
import { openPostgres } from "../../../db/local/postgres.ts";
import { prepareDatabase } from "../../../db/local/prepare.ts";
import { makeDatabase } from "../../support/database/database.ts";

/** Makes a database whose owner is used to other texts, days and schemas than the service. */
const makeUnusual = async (): Promise<string> => {
  const url = await makeDatabase();
  const name = new URL(url).pathname.slice(1);
  const settings = {
    datestyle: "'German'",
    intervalstyle: "'sql_standard'",
    bytea_output: "'escape'",
    extra_float_digits: "-3",
    timezone: "'Asia/Tokyo'",
    default_transaction_isolation: "'repeatable read'",
    search_path: "shop",
  };
  const owner = new pg.Client(url);
  await owner.connect();
  await owner.query("create schema shop");
  for (const [setting, value] of Object.entries(settings)) {
    await owner.query(`alter database ${name} set ${setting} = ${value}`);
  }
  await owner.end();
  return url;
};

it("serves a database that is configured otherwise like any other", async () => {
  const engine = await openPostgres(await makeUnusual());
  await prepareDatabase(engine, "db/migrations");
  const endpoint = await serveSql(engine);
  const db = connect(endpoint.url, 3_600_000);
  const createdAt = new Date("2026-11-27T15:14:19.263Z");
  await db.insert(platforms).values({ id: "plat_1", name: "Platform" });
  const publisher = { id: "pub_1", platformId: "plat_1", name: "Shop", contactName: "A", contactEmail: "a@b.example" };
  await db.insert(publishers).values({ ...publisher, createdAt });
  expect(await db.select({ createdAt: publishers.createdAt }).from(publishers)).toEqual([{ createdAt }]);
  const query = `select '2026-11-27'::date, '1 day 2 hours'::interval, '\\x00ff'::bytea, 0.1::float8 + 0.2::float8,
    current_setting('transaction_isolation')`;
  expect(await engine.transaction([{ query, params: [] }])).toMatchObject([
    { rows: [["2026-11-27", "1 day 02:00:00", "\\x00ff", "0.30000000000000004", "read committed"]] },
  ]);
  await endpoint.close();
  await engine.close();
});

it("closes although statements wait for what another holds", async () => {
  const url = await makeDatabase();
  const holder = new pg.Client(url);
  await holder.connect();
  await holder.query("create table held (a int)");
  await holder.query("begin; lock table held");
  const engine = await openPostgres(url);
  const insert = { query: "insert into held values (1)", params: [] };
  const waiting = Promise.allSettled([engine.run(insert), engine.transaction([insert])]);
  // The server is that of all tests.
  const waits = `select 1 from pg_locks where not granted and relation = 'held'::regclass and database = (
    select oid from pg_database where datname = current_database())`;
  await expect.poll(async () => (await holder.query(waits)).rowCount, { timeout: 180_000 }).toBe(2);
  await engine.close();
  expect(await waiting).toMatchObject([{ status: "rejected" }, { status: "rejected" }]);
  await holder.end();
});
