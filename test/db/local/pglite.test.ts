import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPglite } from "../../../db/local/pglite.ts";

let folder: string;
let dataDir: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lanyap-pglite-"));
  dataDir = join(folder, "postgres");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("PGlite on disk", () => {
  it("keeps its data, lets nobody else in meanwhile, and starts after an interrupted first start", async () => {
    mkdirSync(`${dataDir}.new`);
    writeFileSync(`${dataDir}.new/PG_VERSION`, "half made");
    const first = await openPglite(dataDir);
    await first.run({ query: "create table kept as select 42 as answer", params: [] });
    await expect(openPglite(dataDir)).rejects.toThrow(/another Lanyap \(process \d+\) is using this data/);
    await first.close();
    expect(existsSync(`${dataDir}.lock`)).toBe(false);

    const second = await openPglite(dataDir);
    expect(await second.run({ query: "select answer from kept", params: [] })).toMatchObject({ rows: [["42"]] });
    await second.close();
  });

  it("gives the lock back when it cannot be opened", async () => {
    writeFileSync(dataDir, "not a folder");
    await expect(openPglite(dataDir)).rejects.toThrow(`cannot open ${dataDir}`);
    expect(existsSync(`${dataDir}.lock`)).toBe(false);
  });
});
