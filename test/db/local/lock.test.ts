import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { removeLock, takeLock } from "../../../db/local/lock.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lanyap-lock-"));
  path = join(folder, "made", "data.lock");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the lock", () => {
  it("holds this process's id until it is given back", () => {
    const release = takeLock(path);
    expect(readFileSync(path, "utf8")).toBe(`${process.pid}\n`);
    expect(() => takeLock(path)).toThrow(`process ${process.pid}`);
    release();
    expect(existsSync(path)).toBe(false);
    takeLock(path)();
  });

  it("is refused while its holder runs", () => {
    takeLock(path)();
    const holder = spawn("sleep", ["60"]);
    try {
      writeFileSync(path, String(holder.pid));
      expect(() => takeLock(path)).toThrow(`another Lanyap (process ${holder.pid}) is using this data`);
      expect(readFileSync(path, "utf8")).toBe(String(holder.pid));
    } finally {
      holder.kill();
    }
  });

  it("stays where another start has made it since somebody found a stale one", () => {
    takeLock(path)();
    writeFileSync(path, "4712\n");
    removeLock(path, 4711);
    expect(readFileSync(path, "utf8")).toBe("4712\n");
    removeLock(path, 4712);
    expect(existsSync(path)).toBe(false);
    removeLock(path, 4712);
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it.each([
    ["a process that has ended", () => String(spawnSync("true").pid)],
    ["this process's id, left by an earlier one", () => String(process.pid)],
    ["nothing", () => ""],
    ["nonsense", () => "x"],
  ])("is taken over when the file holds %s", (_what, content) => {
    takeLock(path)();
    writeFileSync(path, content());
    const release = takeLock(path);
    expect(readFileSync(path, "utf8")).toBe(`${process.pid}\n`);
    release();
  });
});
