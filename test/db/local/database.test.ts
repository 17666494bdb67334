import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { chooseDatabase } from "../../../db/local/database.ts";
import { makeDatabase } from "../../support/database/database.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "lanyap-database-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const renew = async (url: string) => {
  const client = new pg.Client(url);
  await client.connect();
  await client.query("drop schema public, drizzle cascade");
  await client.query("create schema public");
  await client.end();
};

it.each([
  ["embedded one", async () => undefined, async () => renameSync(join(dataDir, "postgres"), join(dataDir, "away"))],
  ["external one", async () => makeDatabase(), async (url: string | undefined) => renew(url ?? "")],
])("keeps the documents of an %s until it is rebuilt", async (_name, make, remake) => {
  const url = await make();
  const target = chooseDatabase(url, dataDir, "db/migrations");
  const document = join(target.stateDir, "document");
  const openTwice = async (): Promise<boolean[]> => {
    const kept = [];
    for (const _ of ["first", "second"]) {
      mkdirSync(target.stateDir, { recursive: true });
      writeFileSync(document, "built");
      const opened = await target.open();
      await opened.close();
      kept.push(existsSync(document));
    }
    return kept;
  };
  expect(await openTwice()).toEqual([false, true]);
  await remake(url);
  expect(await openTwice()).toEqual([false, true]);
});
