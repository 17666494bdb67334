import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { neon as reference, neonConfig } from "@neondatabase/serverless";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { UnavailableError } from "../../../../db/core/errors.ts";
import { neon, StatementError, type Client } from "../../../../db/core/neon/neon.ts";
import type { Parameter } from "../../../../db/core/neon/parameter.ts";
import { serveSql, type SqlEndpoint } from "../../../../db/local/endpoint.ts";
import type { Engine } from "../../../../db/local/engine.ts";
import { openPostgres } from "../../../../db/local/postgres.ts";
import { makeDatabase } from "../../../support/database/database.ts";

const HOUR_MS = 3_600_000;

const NOTHING = { command: "SELECT", fields: [], rowCount: 0, rows: [] };

const neonEndpoint = neonConfig.fetchEndpoint;

let engine: Engine;
let endpoint: SqlEndpoint;
let client: Client;

/** Neon's own driver, which does the same in 150 KB. */
let library: ReturnType<typeof reference<false, true>>;

beforeAll(async () => {
  engine = await openPostgres(await makeDatabase());
  endpoint = await serveSql(engine);
  neonConfig.fetchEndpoint = `http://127.0.0.1:${endpoint.port}/sql`;
  client = neon(endpoint.url, HOUR_MS);
  library = reference(endpoint.url, { fullResults: true });
});
afterAll(async () => {
  neonConfig.fetchEndpoint = neonEndpoint;
  await endpoint.close();
  await engine.close();
});

const STATEMENTS: [text: string, parameters: Parameter[]][] = [
  ["select 1::int2, 2::int4, 3::int8, 4.5::float4, 'NaN'::float8, 6.70::numeric, 7::oid", []],
  ["select true, false, null::bool, '', 'ünï 💐 \"{}\\', null", []],
  ["select '{\"b\" : 1}'::json as a, '[null, \"x\"]'::jsonb as b, 'null'::json as c", []],
  ['select \'{}\'::text[], \'{plain,"with, comma","q\\"uote",NULL,"","NULL"}\'::text[], \'{{a},{b}}\'::text[]', []],
  ["select '{1,NULL}'::int[], '{1}'::int8[], '{0.5}'::float8[], '{t,f}'::bool[], '{\"{}\"}'::jsonb[]", []],
  ["select '{1}'::int2[], '{1.5,NaN}'::float4[], '{a,NULL}'::varchar[], '{\"[1]\",null}'::json[]", []],
  ["select 1 as same, 2 as same, 3 as other", []],
  ["select from generate_series(1, 2)", []],
  ["select generate_series(1, 3) where false", []],
  ["select $1::int, $2::text, $3::bool, $4::float8, $5::int8", [1, "1", true, 0.1, 2n ** 60n]],
  ["select $1::text, $2::text", [null, undefined]],
  ["select $1::text[] as list", [["a,b", 'c"d', "\\", "", "NULL", null, undefined, 1, true]]],
  ["select $1::int[], $2::text[], $3::int[]", [[], [["a"], ["b"]], [1, 2]]],
  ["select $1::jsonb[]", [[{ a: '"\\' }, [], 1].map((one) => JSON.stringify(one))]],
  ["select $1::jsonb, $2::json", [{ a: [1, "x", null] }, { 'q"': "\\" }]],
  ["select $1::timestamptz = '2026-11-20T23:59:59.123Z'", [new Date("2026-11-20T23:59:59.123Z")]],
  ["select encode($1::bytea, 'hex')", [Buffer.from([0, 255, 16])]],
];

const caught = (error: unknown) => error as Error;

/** What an error says: its message, and all that Postgres gave. */
const said = (error: object): object =>
  Object.fromEntries([["message", Reflect.get(error, "message")], ...Object.entries(error)]);

/** An answer to a statement, and to a transaction of one. */
const nothing = () => Response.json({ ...NOTHING, results: [NOTHING] });

describe("a statement", () => {
  it.each([false, true])("gives what Neon's driver gives, rows as lists: %s", async (arrayMode) => {
    for (const [text, parameters] of STATEMENTS) {
      const ours = await client.query(text, parameters, { arrayMode });
      const { command, fields, rowCount, rows } = await library.query(text, parameters, { arrayMode });
      expect([text, ours]).toEqual([text, { command, fields, rowCount, rows }]);
    }
  });

  it("leaves times and bytes as Postgres writes them", async () => {
    const texts = ["2026-11-20 23:59:59.123+00", "2026-11-20", "1 day 02:00:00", "\\x00ff"];
    const text = "select $1::timestamptz as at, $2::date as day, $3::interval as long, $4::bytea as bytes";
    expect((await client.query(text, texts)).rows).toEqual([
      { at: texts[0], day: texts[1], long: texts[2], bytes: texts[3] },
    ]);
  });

  it.each([
    ["selec 1", []],
    ["select nam from pg_class", []],
    ["select $1::int", ["x"]],
    ["select 1 / $1::int", [0]],
    ["insert into pg_namespace (oid, nspname, nspowner) values (99, 'public', 10)", []],
  ])("that is refused rejects with all that Postgres says: %s", async (text, parameters) => {
    const refusal = await client.query(text, parameters).then(null, caught);
    const expected = await library.query(text, parameters).catch(caught);
    expect(refusal).toBeInstanceOf(StatementError);
    expect({ ...said(refusal), name: "" }).toEqual({ ...said(expected), name: "" });
  });
});

describe("a transaction", () => {
  it("runs statements in order and at once, each with its own kind of rows", async () => {
    const before = endpoint.requests;
    const results = await client.transaction([
      client.query("create table things (id int)"),
      client.query("insert into things select generate_series(1, $1::int)", [3]),
      client.query("select id, true as here from things where id > $1", [2], { arrayMode: true }),
      client.query("delete from things returning id"),
      client.query("drop table things"),
    ]);
    expect(results.map(({ command, rowCount, rows }) => [command, rowCount, rows])).toEqual([
      ["CREATE", null, []],
      ["INSERT", 3, []],
      ["SELECT", 1, [[3, true]]],
      ["DELETE", 3, [{ id: 1 }, { id: 2 }, { id: 3 }]],
      ["DROP", null, []],
    ]);
    expect(endpoint.requests - before).toBe(1);
  });

  it("leaves nothing when a statement is refused", async () => {
    const statements = ["create table things (id int)", "select 1 / 0"].map((text) => client.query(text));
    await expect(client.transaction(statements)).rejects.toMatchObject({ name: "StatementError", code: "22012" });
    expect((await client.query("select to_regclass('things') as found")).rows).toEqual([{ found: null }]);
  });
});

describe("Neon", () => {
  const URLS = [
    "postgres://me:p%40ss@ep-cool-darkness-123456.us-east-2.aws.neon.tech/neondb?sslmode=require",
    "postgresql://me:secret@ep-a-1-pooler.eu-central-1.aws.neon.tech:5432/shop?sslmode=require&channel_binding=require",
  ];

  it.each(URLS)("is asked as its own driver asks: %s", async (url) => {
    const asked = vi.spyOn(globalThis, "fetch").mockImplementation(async () => nothing());
    neonConfig.fetchEndpoint = neonEndpoint;
    try {
      const [ours, theirs] = [neon(url, HOUR_MS), reference(url)];
      await ours.query("select $1", ["x"]);
      await theirs.query("select $1", ["x"]);
      await ours.transaction([ours.query("select 1")]);
      await theirs.transaction([theirs.query("select 1")]);
      const calls = asked.mock.calls.map(([to, { method, headers, body } = {}]) => ({ to, method, headers, body }));
      for (const { headers } of calls as { headers: Record<string, string> }[]) {
        // Neon's driver adds its own name to the connection string.
        headers["Neon-Connection-String"] = (headers["Neon-Connection-String"] ?? "")
          .replace(/[?&]application_name=[^&]*/, "")
          .replace(/^postgres:/, "postgresql:");
      }
      expect([calls[0], calls[2]]).toEqual([calls[1], calls[3]]);
    } finally {
      asked.mockRestore();
      neonConfig.fetchEndpoint = `http://127.0.0.1:${endpoint.port}/sql`;
    }
  });
});

describe("a database that is away", () => {
  let server: Server;
  let body: string;
  let status: number;
  let lost: Client;
  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.writeHead(status, { "content-length": 100 }).end(body.padEnd(100));
    });
    await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo;
    lost = neon(`postgres://user:password@127.0.0.1:${port}/db`, HOUR_MS);
  });
  afterAll(() => void server.close());

  it.each([
    ["is no JSON", 200, "<html>"],
    ["has no result", 200, "{}"],
    ["is null", 200, "null"],
    ["is a server's error", 503, '{"message":"asleep"}'],
    ["is a refusal that is not Postgres'", 400, '{"message":"password authentication failed","code":null}'],
    ["is a refusal without words", 400, ""],
    ["is another refusal", 429, "slow down"],
  ])("is told by an answer that %s", async (_, withStatus, text) => {
    [status, body] = [withStatus, text];
    await expect(lost.query("select 1")).rejects.toBeInstanceOf(UnavailableError);
    await expect(lost.transaction([lost.query("select 1")])).rejects.toBeInstanceOf(UnavailableError);
  });

  it("is told by no answer", async () => {
    const none = neon("postgres://user:password@127.0.0.1:1/db", HOUR_MS);
    await expect(none.query("select 1")).rejects.toBeInstanceOf(UnavailableError);
  });
});
