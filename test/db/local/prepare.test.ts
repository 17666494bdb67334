import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../../db/core/client.ts";
import { buildDocuments } from "../../../db/documents/build.ts";
import { routines } from "../../../db/documents/routines.ts";
import { serveSql } from "../../../db/local/endpoint.ts";
import type { Engine } from "../../../db/local/engine.ts";
import { openPostgres } from "../../../db/local/postgres.ts";
import { bringRoutines, prepareDatabase } from "../../../db/local/prepare.ts";
import { makeDatabase } from "../../support/database/database.ts";
import { engines } from "../../support/database/engines.ts";

const FOLDER = "db/migrations";
const NEEDED = Object.values(routines()).map(({ name }) => name);

const kept = async (engine: Engine): Promise<(string | null)[]> => {
  const query = "select proname from pg_proc where proname like 'document\\_%' order by oid";
  return (await engine.run({ query, params: [] })).rows.map(([name]) => name ?? null);
};
const make = async (engine: Engine, name: string) =>
  engine.run({ query: `create function ${name}(text) returns text return $1`, params: [] });

describe.each(Object.entries(engines))("a prepared database on %s", (_name, open) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open();
    await prepareDatabase(engine, FOLDER);
  });
  afterAll(() => engine.close());

  it("builds documents, before there is anything and however often it is prepared", async () => {
    await prepareDatabase(engine, FOLDER);
    const endpoint = await serveSql(engine);
    const keys = [
      "placement:pl_0",
      "key:pk_0",
      "candidates:pl_0:US",
      "candidates:pl_0:US:en:USD:-:3",
      "network",
    ] as const;
    const built = await buildDocuments(connect(endpoint.url), keys);
    await endpoint.close();
    expect(keys.map((key) => built.get(key)?.value)).toEqual([
      null,
      null,
      null,
      null,
      { since: expect.any(Number), offers: [], advertisers: [], tapered: [], paced: [], targeted: expect.any(Object) },
    ]);
    expect(new Set(await kept(engine))).toEqual(new Set(NEEDED));
  });

  it("gets routines through a Worker's client: all of them, or none", async () => {
    const endpoint = await serveSql(engine);
    const dropAll = async () => {
      const query = `select 'drop function ' || oid::regprocedure from pg_proc where proname like 'document\\_%'`;
      const { rows } = await engine.run({ query, params: [] });
      for (const [drop] of rows) await engine.run({ query: drop ?? "", params: [] });
    };
    await dropAll();
    await bringRoutines(endpoint.url);
    expect(new Set(await kept(engine))).toEqual(new Set(NEEDED));
    await dropAll();
    // A function that another role made under the name of a routine cannot be replaced.
    const taken = routines().network.name;
    await engine.run({ query: `create function ${taken}() returns text return 'taken'`, params: [] });
    await expect(bringRoutines(endpoint.url)).rejects.toThrow("cannot change return type");
    expect(await kept(engine)).toEqual([taken]);
    await dropAll();
    await bringRoutines(endpoint.url);
    await endpoint.close();
    await expect(bringRoutines(endpoint.url)).rejects.toThrow("the database gave no answer");
  });

  it("keeps five versions of a routine, of them always its own, and whatever else it finds", async () => {
    const versions = [1, 2, 3, 4, 5, 6].map((n) => `document_key_${String(n).repeat(12)}`);
    const others = ["document_key", "document_key_1", "document_other_111111111111", "my_document_key_111111111111"];
    for (const name of [...versions, ...others]) await make(engine, name);
    // A Worker that is rebuilt again and again drops no routine that another one calls.
    const endpoint = await serveSql(engine);
    await bringRoutines(endpoint.url);
    await endpoint.close();
    expect(new Set(await kept(engine))).toEqual(new Set([...NEEDED, ...versions, ...others.slice(0, 3)]));
    await prepareDatabase(engine, FOLDER);
    const [, ...newest] = versions;
    expect(new Set(await kept(engine))).toEqual(new Set([...NEEDED, ...newest, ...others.slice(0, 3)]));
  });
});

it("is prepared by two at once", async () => {
  const url = await makeDatabase();
  const both = await Promise.all([openPostgres(url), openPostgres(url)]);
  await Promise.all(both.map(async (engine) => prepareDatabase(engine, FOLDER)));
  expect(await kept(both[0])).toHaveLength(NEEDED.length);
  await Promise.all(both.map(async (engine) => engine.close()));
});
