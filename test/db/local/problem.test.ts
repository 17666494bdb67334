import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { sql } from "drizzle-orm";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { openPostgres } from "../../../db/local/postgres.ts";
import { explain, Problem } from "../../../db/local/problem.ts";
import { makeDatabase } from "../../support/database/database.ts";

const thrownBy = async (work: () => unknown): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
};

it("says in one line what a person can solve", () => {
  expect(explain(new Problem("PORT is taken."))).toBe("lanyap: PORT is taken.");
});

it("says what Postgres has against a migration", async () => {
  const owned = new URL(await makeDatabase());
  const role = `weak_${owned.pathname.slice(1)}`;
  const owner = new pg.Client(owned.href);
  await owner.connect();
  await owner.query(`create role ${role} login password 'hunter2'`);
  onTestFinished(async () => {
    await owner.query(`drop role ${role}`);
    await owner.end();
  });
  const weak = Object.assign(new URL(owned), { username: role, password: "hunter2" });
  const engine = await openPostgres(weak.href);
  const thrown = await thrownBy(() => engine.migrate("db/migrations"));
  await engine.close();
  expect(explain(thrown)).toBe(
    `lanyap: Postgres refuses: permission denied for database ${owned.pathname.slice(1)} (42501). The role of DATABASE_URL must own the database, or have been granted what is missing. The statement: CREATE SCHEMA IF NOT EXISTS "drizzle"`,
  );
});

it("says the detail of what Postgres refuses, and no parameter", async () => {
  const client = new pg.Client(await makeDatabase());
  await client.connect();
  const db = drizzle({ client });
  await db.execute(sql`create table keys (id int primary key, secret text)`);
  const insert = () => db.execute(sql`insert into keys values (1, ${"hunter2"})`);
  await insert();
  const thrown = await thrownBy(insert);
  await client.end();
  expect(explain(thrown)).toBe(
    'lanyap: Postgres refuses: duplicate key value violates unique constraint "keys_pkey" (23505). Key (id)=(1) already exists. The statement: insert into keys values (1, $1)',
  );
});

it("shows no parameter of a statement that was never answered", () => {
  const lost = new Error("Failed query: insert …\nparams: hunter2", { cause: new Error("connection lost") });
  expect(explain(lost)).toMatch(/^Error: connection lost\n +at /);
});

it("says in one line which file cannot be used", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lanyap-problem-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const written = await thrownBy(() => writeFileSync(folder, ""));
  expect(explain(written)).toBe(`lanyap: EISDIR: illegal operation on a directory, open '${folder}'`);
  const read = await thrownBy(() => readFileSync(join(folder, "missing")));
  expect(explain(read)).toBe(`lanyap: ENOENT: no such file or directory, open '${join(folder, "missing")}'`);
});

it("shows where a defect is", () => {
  expect(explain(new TypeError("x is no function"))).toMatch(/^TypeError: x is no function\n +at /);
  expect(explain("thrown")).toBe("thrown");
});
