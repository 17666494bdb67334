import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../../db/core/client.ts";
import { buildDocuments } from "../../../db/documents/build.ts";
import { routines } from "../../../db/documents/routines.ts";
import { serveSql } from "../../../db/local/endpoint.ts";
import type { Engine } from "../../../db/local/engine.ts";
import { openPostgres } from "../../../db/local/postgres.ts";
import { prepareDatabase } from "../../../db/local/prepare.ts";
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

  it("keeps five versions of a routine, of them always its own, and whatever else it finds", async () => {
    const versions = [1, 2, 3, 4, 5, 6].map((n) => `document_key_${String(n).repeat(12)}`);
    const others = ["document_key", "document_key_1", "document_other_111111111111", "my_document_key_111111111111"];
    for (const name of [...versions, ...others]) await make(engine, name);
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
