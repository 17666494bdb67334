import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openingProblem } from "../../../db/local/opening-problem.ts";
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

  it.each(["PG_VERSION", "base", "global/pg_control"])("refuses data without %s, and changes nothing", async (part) => {
    const first = await openPglite(dataDir);
    await first.close();
    renameSync(join(dataDir, part), join(folder, "kept"));
    const before = readdirSync(dataDir, { recursive: true });
    await expect(openPglite(dataDir)).rejects.toThrow(
      `${dataDir} looks damaged: ${part} is missing. Nothing was changed. Bring back what is missing, or move that folder away to start afresh.`,
    );
    expect(readdirSync(dataDir, { recursive: true })).toEqual(before);
    expect(existsSync(`${dataDir}.lock`)).toBe(false);
    renameSync(join(folder, "kept"), join(dataDir, part));
    const again = await openPglite(dataDir);
    await again.close();
  });

  it("refuses a folder of somebody else's, and takes an empty one", async () => {
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, "letter.txt"), "dear");
    await expect(openPglite(dataDir)).rejects.toThrow(`${dataDir} looks damaged: PG_VERSION is missing.`);
    expect(readdirSync(dataDir)).toEqual(["letter.txt"]);
    rmSync(join(dataDir, "letter.txt"));
    const made = await openPglite(dataDir);
    await made.close();
  });

  it("gives the lock back when it cannot be opened", async () => {
    writeFileSync(dataDir, "not a folder");
    await expect(openPglite(dataDir)).rejects.toThrow(`${dataDir} looks damaged`);
    expect(existsSync(`${dataDir}.lock`)).toBe(false);
  });
});

describe("data that cannot be opened", () => {
  it.each([
    ["EACCES", "it belongs to another user, or may not be written."],
    ["EPERM", "it belongs to another user, or may not be written."],
    ["ENOSPC", "there is no space left."],
    ["EDQUOT", "there is no space left."],
    ["EROFS", "its disk can only be read."],
  ])("are told to be whole on %s", (code, why) => {
    const { message } = openingProblem(dataDir, [], Object.assign(new Error(`${code}: it failed`), { code }));
    expect(message).toContain(`the embedded Postgres cannot open ${dataDir}: ${why}`);
    expect(message).not.toMatch(/delete|afresh/i);
  });

  it("are to be moved away where they are of something else", async () => {
    const first = await openPglite(dataDir);
    await first.close();
    writeFileSync(join(dataDir, "PG_VERSION"), "9.6\n");
    await expect(openPglite(dataDir)).rejects.toThrow(
      /^the embedded Postgres cannot open .*\. Nothing was deleted\. Move that folder away to start afresh\.$/,
    );
    expect(existsSync(join(dataDir, "base"))).toBe(true);
  });
});

it("does not take a statement that was broken off for one that was done, and keeps nothing of its batch", async () => {
  const first = await openPglite(dataDir);
  expect(await first.run({ query: " ", params: [] })).toMatchObject({ command: "" });
  const deep = { query: "select $1::jsonb", params: ["[".repeat(7_000) + "]".repeat(7_000)] };
  const others = ["create table half (a int)", "insert into half values (1)"].map((query) => ({ query, params: [] }));
  const broken = "the embedded Postgres broke off a statement; stop Lanyap and start it again";
  await expect(first.transaction([...others, deep, ...others])).rejects.toThrow(broken);
  await expect(first.run(deep)).rejects.toThrow(broken);
  await first.close();
  const crowded = await openPglite();
  const asked = await Promise.allSettled([deep, ...others].map((query) => crowded.run(query)));
  expect(asked.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  await expect(crowded.run({ query: "select 1", params: [] })).rejects.toThrow(broken);
  await crowded.close();
  const again = await openPglite(dataDir);
  expect(await again.run({ query: "select to_regclass('half')", params: [] })).toMatchObject({ rows: [[null]] });
  await again.close();
});

it("frees no compiled WebAssembly while it runs, which may end the process", () => {
  const module = resolve("db/local/pglite.ts");
  const program = `
    const { openPglite } = await import(${JSON.stringify(module)});
    const engine = await openPglite();
    for (let i = 0; i < 50; i++) await engine.run({ query: "select 42 as answer", params: [] });
    await engine.close();
    console.log("closed");`;
  // Tells Node to free at once what it can, and to say so.
  const flags = ["--stress-wasm-code-gc", "--trace-wasm-code-gc", "--input-type=module", "--eval"];
  const { status, stdout } = spawnSync(process.execPath, [...flags, program], { encoding: "utf8" });
  expect({ status, lines: stdout.trim().split("\n") }).toEqual({ status: 0, lines: ["closed"] });
});
