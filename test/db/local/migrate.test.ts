import { rmSync } from "node:fs";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../../db/local/engine.ts";
import { openPostgres } from "../../../db/local/postgres.ts";
import { explain } from "../../../db/local/problem.ts";
import { makeDatabase } from "../../support/database/database.ts";
import { startEmbeddedPostgres } from "../../support/database/embedded.ts";
import { engines } from "../../support/database/engines.ts";
import { makeMigrations } from "../../support/database/migrations.ts";

const folder = makeMigrations(
  "create type mood as enum ('fine');\n--> statement-breakpoint\ncreate table first (mood mood[] default '{fine}')",
  "select pg_sleep(0.2);\n--> statement-breakpoint\ncreate table second ()",
);
const broken = makeMigrations("create table first ()", "create table third ();\n--> statement-breakpoint\nselec 1");
afterAll(() => [folder, broken].forEach((made) => rmSync(made, { recursive: true })));

describe.each(Object.entries(engines))("migrations on %s", (_name, open) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open();
  });
  afterAll(() => engine.close());
  const tables = async () => {
    const query = "select tablename from pg_tables where schemaname = 'public' order by 1";
    return (await engine.run({ query, params: [] })).rows.flat();
  };

  it("are applied once, however often they run", async () => {
    await engine.migrate(folder);
    await engine.migrate(folder);
    expect(await tables()).toEqual(["first", "second"]);
    const insert = "insert into first values (default) returning mood";
    expect(await engine.run({ query: insert, params: [] })).toMatchObject({ rows: [["{fine}"]] });
  });

  it("leave nothing behind when one fails", async () => {
    await engine.run({ query: "delete from drizzle.__drizzle_migrations where id = 2", params: [] });
    await expect(engine.migrate(broken)).rejects.toThrow("selec 1");
    expect(await tables()).toEqual(["first", "second"]);
  });

  it("fail on a folder without any", async () => {
    await expect(engine.migrate("/nowhere")).rejects.toThrow("_journal.json");
  });
});

describe("a Postgres over TCP", () => {
  let database: string;
  beforeAll(async () => {
    database = await makeDatabase();
  });

  it("takes two migrations at once", async () => {
    const both = await Promise.all([openPostgres(database), openPostgres(database)]);
    await Promise.all(both.map(async (engine) => engine.migrate(folder)));
    const applied = { query: "select count(*) from drizzle.__drizzle_migrations", params: [] };
    expect(await both[0].run(applied)).toMatchObject({ rows: [["2"]] });
    await Promise.all(both.map(async (engine) => engine.close()));
  });

  it("keeps nobody waiting behind a migration that waits for a backup", async () => {
    const own = await makeDatabase();
    const backup = new Client({ connectionString: own });
    await backup.connect();
    const engine = await openPostgres(own);
    await engine.run({ query: "create table busy ()", params: [] });
    await backup.query("begin; lock table busy in access share mode");
    const altering = makeMigrations("create table before ()", "alter table busy add column more text");
    expect(await engine.migrate(altering).catch(explain)).toContain("Something else has locked the table");
    const made = await engine.run({ query: "select to_regclass('before')", params: [] });
    expect(made).toMatchObject({ rows: [[null]] });
    await engine.run({ query: "select from busy", params: [] });
    await backup.end();
    await engine.migrate(altering);
    await engine.close();
    rmSync(altering, { recursive: true });
  });

  it.each([
    ["a wrong password", (url: URL) => (url.password = "hunter2"), /password authentication failed for user "lanyap"/],
    ["no password", (url: URL) => (url.password = ""), /the server asks for a password, and the URL has none/],
    ["a missing database", (url: URL) => (url.pathname = "/missing"), /database "missing" does not exist/],
    ["a closed port", (url: URL) => (url.port = "1"), /nothing listens there/],
  ])("explains %s in one line", async (_what, change, message) => {
    const url = new URL(database);
    change(url);
    const opening = openPostgres(url.href);
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.not.toThrow(/hunter2|secret|\n/);
  });

  it("outlives a lost server", async () => {
    const own = await startEmbeddedPostgres();
    const engine = await openPostgres(own.url);
    const select = { query: "select 1", params: [] };
    await engine.transaction([select, select]);
    await own.stop();
    await expect(engine.run(select)).rejects.toThrow("ECONNREFUSED");
    await expect(engine.transaction([select])).rejects.toThrow("ECONNREFUSED");
    await engine.close();
  });
});
