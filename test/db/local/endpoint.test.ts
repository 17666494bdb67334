import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { sql } from "drizzle-orm";
import { bigint, integer, pgTable, text } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../../db/core/client.ts";
import { serveSql } from "../../../db/local/endpoint.ts";
import { engines } from "../../support/database/engines.ts";
import { openServed } from "../../support/database/serving.ts";

const things = pgTable("things", {
  id: integer().primaryKey(),
  name: text().notNull().unique("things_name_key"),
  big: bigint({ mode: "number" }),
});

describe.each(Object.entries(engines))("the /sql endpoint on %s", (_name, open) => {
  let served: Awaited<ReturnType<typeof openServed>>;
  let { seen, endpoint, db, post } = {} as typeof served;
  const names = async () => (await db.select({ name: things.name }).from(things)).map(({ name }) => name);

  beforeAll(async () => {
    served = await openServed(open);
    ({ seen, endpoint, db, post } = served);
    await db.execute(sql`create table things (id int primary key, name text not null, big bigint,
      constraint things_name_key unique (name))`);
  });
  afterAll(() => served.close());

  /** Asks for a statement by `node:http`, which sends whatever host it is told. */
  const askBy = async (host: string): Promise<number | undefined> => {
    const { port, url } = endpoint;
    const headers = { host, "neon-connection-string": url, "neon-raw-text-output": "true" };
    const sent = request({ host: "127.0.0.1", port, path: "/sql", method: "POST", headers });
    sent.end(JSON.stringify({ query: `select '${host}'`, params: [] }));
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };

  it.each(["localhost", "localhost:5432", "127.0.0.1:1", "127.3.2.1", "[::1]:80", "LocalHost"])(
    "takes a request to %s",
    async (host) => {
      expect(await askBy(host)).toBe(200);
    },
  );

  it.each([
    "evil.example",
    "evil.example:5432",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "10.0.0.1",
    "[::2]",
  ])("runs nothing for a page that made its own name, %s, lead here", async (host) => {
    const before = endpoint.requests;
    expect(await askBy(host)).toBe(403);
    expect(endpoint.requests).toBe(before);
    expect(seen.filter((query) => query.includes(`'${host}'`))).toEqual([]);
  });

  it("answers a statement in Neon's form", async () => {
    const response = await post({ query: "select 1 as a, 'x' as b", params: [] });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      rowAsArray: true,
      command: "SELECT",
      rowCount: 1,
      fields: [
        expect.objectContaining({ name: "a", dataTypeID: 23 }),
        expect.objectContaining({ name: "b", dataTypeID: 25 }),
      ],
      rows: [["1", "x"]],
    });
  });

  it("answers rows as objects when arrays are not asked for", async () => {
    const response = await post({ query: "select 1 as a, null as b" }, { "neon-array-mode": "false" });
    expect(await response.json()).toMatchObject({ rowAsArray: false, rows: [{ a: "1", b: null }] });
  });

  it("inserts, returns and counts", async () => {
    const row = { id: 1, name: "one", big: 2 ** 53 - 1 };
    expect(await db.insert(things).values(row).returning()).toEqual([row]);
    expect(
      await db
        .update(things)
        .set({ name: "uno" })
        .where(sql`id = 1`),
    ).toMatchObject({ rowCount: 1, command: "UPDATE" });
    expect(await db.delete(things)).toMatchObject({ rowCount: 1 });
  });

  it("gives a unique violation its code and constraint", async () => {
    await db.insert(things).values({ id: 1, name: "one" });
    await expect(db.insert(things).values({ id: 2, name: "one" })).rejects.toMatchObject({
      cause: { code: "23505", constraint: "things_name_key", table: "things", severity: "ERROR" },
    });
    await db.delete(things);
  });

  it.each([
    ["a syntax error", { query: "selec 1" }, { code: "42601", position: "1" }],
    ["an unknown column with a hint", { query: "select nam from things" }, { code: "42703", hint: expect.any(String) }],
    ["a value that does not parse", { query: "select $1::int", params: ["x"] }, { code: "22P02" }],
    ["a NUL in a parameter", { query: "select $1::text", params: ["a\0b"] }, { code: "22021" }],
    ["too few parameters", { query: "select $1::text, $2::text", params: ["a"] }, { code: "08P01" }],
    ["two statements in one", { query: "select 1; select 2" }, { code: "42601" }],
  ])("answers %s with 400 and the fields of Postgres", async (_what, body, fields) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: expect.any(String), severity: "ERROR", ...fields });
    expect((await post({ query: "select 1" })).status).toBe(200);
  });

  it("runs a batch in order as one transaction", async () => {
    const [, found, gone] = await db.batch([
      db.insert(things).values({ id: 1, name: "one" }),
      db.select().from(things),
      db.delete(things).returning({ id: things.id }),
    ]);
    expect(found).toEqual([{ id: 1, name: "one", big: null }]);
    expect(gone).toEqual([{ id: 1 }]);
  });

  it("leaves nothing of a batch that fails", async () => {
    const batch = db.batch([
      db.insert(things).values({ id: 1, name: "one" }),
      db.insert(things).values({ id: 1, name: "two" }),
    ]);
    await expect(batch).rejects.toMatchObject({ code: "23505", constraint: "things_pkey" });
    expect(await names()).toEqual([]);
  });

  it("leaves nothing of a batch whose constraint fails at the end", async () => {
    const statements = [
      "create table later (id int constraint later_once unique deferrable initially deferred)",
      "insert into later values (1), (1)",
    ];
    const response = await post({ queries: statements.map((query) => ({ query, params: [] })) });
    expect(await response.json()).toMatchObject({ code: "23505", constraint: "later_once" });
    expect((await post({ query: "select 1 from later" })).status).toBe(400);
  });

  it("answers an empty batch", async () => {
    expect(await (await post({ queries: [] })).json()).toEqual({ results: [] });
  });

  it("honours isolation level, read only and deferrable", async () => {
    const shows = ["transaction_isolation", "transaction_read_only", "transaction_deferrable"];
    const response = await post(
      { queries: shows.map((name) => ({ query: `show ${name}`, params: [] })) },
      {
        "neon-batch-isolation-level": "Serializable",
        "neon-batch-read-only": "true",
        "neon-batch-deferrable": "true",
      },
    );
    expect(await response.json()).toMatchObject({
      results: [{ rows: [["serializable"]] }, { rows: [["on"]] }, { rows: [["on"]] }],
    });
    const plain = await post({ queries: [{ query: "show transaction_isolation" }] });
    expect(await plain.json()).toMatchObject({ results: [{ rows: [["read committed"]] }] });
  });

  it("serves twenty requests and batches at once", async () => {
    const ids = Array.from({ length: 20 }, (_, id) => id);
    await Promise.all(
      ids.map((id) => db.batch([db.insert(things).values({ id, name: `n${id}` }), db.select().from(things)])),
    );
    expect(await Promise.all(ids.map(() => names()))).toEqual(ids.map(() => expect.objectContaining({ length: 20 })));
    await db.delete(things);
  });

  it("counts and shows the requests", async () => {
    const before = endpoint.requests;
    seen.length = 0;
    await db.execute(sql`select 7`);
    await db.batch([db.execute(sql`select 8`), db.execute(sql`select 9`)]);
    expect(endpoint.requests - before).toBe(2);
    expect(seen).toEqual(["select 7", "select 8", "select 9"]);
  });

  it.each([
    ["not JSON", "{"],
    ["not a statement", { params: [] }],
  ])("refuses a body that is %s", async (_what, body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ message: expect.any(String) });
  });

  it("knows no other path and no other method", async () => {
    expect((await post({ query: "select 1" }, {}, "/other")).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${endpoint.port}/sql`)).status).toBe(405);
  });

  it("answers 503 when the engine is gone, and ends its connections on close", async () => {
    const other = await open();
    const own = await serveSql(other);
    const gone = connect(own.url);
    await gone.execute(sql`select 1`);
    await other.close();
    await expect(gone.execute(sql`select 1`)).rejects.toMatchObject({
      cause: { message: expect.stringContaining("HTTP status 503") },
    });
    await own.close();
    await own.close();
    await expect(fetch(`http://127.0.0.1:${own.port}/sql`)).rejects.toThrow("fetch failed");
  });
});
