import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engines } from "../../support/database/engines.ts";
import { openServed } from "../../support/database/serving.ts";

/** Literal in SQL, the parameter's cast, and its text on the wire, in and out. */
const values: [type: string, wire: string | null][] = [
  ["integer", "-42"],
  ["bigint", "9007199254740991"],
  ["numeric(12,4)", "12345678.9000"],
  ["double precision", "0.1"],
  ["double precision", "NaN"],
  ["boolean", "t"],
  ["boolean", "f"],
  ["text", null],
  ["text", ""],
  ["text", 'it\'s "quoted",\n\ttwo lines, back\\slash, ünïcödé 💐 {a,b} $1'],
  ["uuid", "11111111-2222-3333-4444-555555555555"],
  ["timestamptz(3)", "2026-11-20 23:59:59.123+00"],
  ["timestamp", "2026-11-20 23:59:59"],
  ["date", "2026-02-28"],
  ["interval", "1 day 02:00:00"],
  ["json", '{"b" : 1, "a":[null]}'],
  ["jsonb", '{"a": [1, "x", null, {"deep": true}]}'],
  ["text[]", "{}"],
  ["text[]", '{plain,"with, comma","q\\"uote",NULL,""}'],
  ["integer[]", "{1,2,NULL}"],
  ["bytea", "\\x00ff10"],
  ["inet", "10.0.0.1"],
];

describe.each(Object.entries(engines))("the /sql endpoint on %s", (_name, open) => {
  let served: Awaited<ReturnType<typeof openServed>>;
  let { db, post } = {} as typeof served;

  beforeAll(async () => {
    served = await openServed(open);
    ({ db, post } = served);
  });
  afterAll(() => served.close());

  it.each(values)("carries %s %j as text, in and out", async (type, wire) => {
    const response = await post({ query: `select $1::${type} as value`, params: [wire] });
    expect(await response.json()).toMatchObject({ rows: [[wire]], fields: [{ name: "value" }], rowCount: 1 });
  });

  it("accepts numbers and booleans as parameters", async () => {
    const response = await post({ query: "select $1::int + 1, not $2::bool", params: [41, true] });
    expect(await response.json()).toMatchObject({ rows: [["42", "f"]] });
  });

  it("runs in UTC", async () => {
    expect(await (await post({ query: "show timezone" })).json()).toMatchObject({ rows: [["UTC"]] });
  });

  it("takes what drizzle makes of arrays, dates, buffers and big numbers", async () => {
    const date = new Date("2026-11-20T23:59:59.123Z");
    const { rows } = await db.execute(sql`select ${sql.param(["a,b", 'c"d', null])}::text[] as list,
      ${sql.param([])}::int[] as empty, ${date.toISOString()}::timestamptz as at,
      ${sql.param(Buffer.from([0, 255]))}::bytea as bytes, ${2 ** 53 - 1}::bigint as big, ${{ a: 1 }}::jsonb as doc`);
    expect(rows).toMatchObject([{ list: ["a,b", 'c"d', null], empty: [], big: "9007199254740991", doc: { a: 1 } }]);
  });
});
