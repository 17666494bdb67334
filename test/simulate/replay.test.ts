import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isWholeRun, parseOptions } from "./options.ts";
import { lineOf, REPLAYED, replayTest, sumOf, type ReplayedName } from "./replay/replay.ts";
import { replayFile } from "./replay/run.ts";
import { readTests, sampleOf } from "./replay/tests.ts";

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lanyap-replay-"));
  file = join(folder, "tests.csv");
  const rows = Array.from({ length: 12 }, (_, test) =>
    [100, 200, 300, 150].map((clicks, arm) => `${test},${arm},10000,${clicks + test}`).join("\n"),
  );
  await writeFile(file, `test,arm,impressions,clicks\n${rows.join("\n")}\n`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const OPTIONS = { requests: 2_000, batch: 250, seed: 7 };
const replay = (name: ReplayedName, seed = 7) =>
  lineOf(name, OPTIONS.requests, sumOf(readTests(file).map((test) => replayTest(test, name, { ...OPTIONS, seed }))));

describe("the command line", () => {
  it("takes whole numbers, and any seed", () => {
    expect(parseOptions(["--seed", "0"]).seed).toBe(0);
    expect(parseOptions([]).seed).toBe(1);
    for (const seed of ["-1", "1.5", "", "x", "1e2"]) {
      expect(() => parseOptions([`--seed=${seed}`])).toThrow("--seed must be a whole number from 0");
    }
    expect(() => parseOptions(["--replay", "tests.csv"])).toThrow("--replay needs --requests");
    expect(parseOptions(["--replay", "tests.csv", "--requests", "2"]).replay).toMatchObject({ requests: 2 });
    expect(parseOptions(["--requests", "2"])).toMatchObject({ requests: 2, replay: null });
    expect(() => parseOptions(["--requests", "1"])).toThrow("--requests must be a whole number from 2");
    expect(() => parseOptions(["--runs", "0"])).toThrow("--runs must be a whole number from 1");
    expect(parseOptions(["--click-rate", "0.04"]).clickRate).toBe(0.04);
    for (const rate of ["0", "-1", "0.5", "4%", ""]) {
      expect(() => parseOptions([`--click-rate=${rate}`])).toThrow("--click-rate must be a number between 0 and 0.5");
    }
  });

  it.each([[[]], [["--json"]]])("redraws pictures with %j", (args) => {
    expect(isWholeRun(parseOptions(args))).toBe(true);
  });

  it.each([
    [["--quick"]],
    [["--runs", "2"]],
    [["--only", "sparse"]],
    [["--seed", "2"]],
    [["--click-rate", "0.02"]],
    [["--requests", "100000"]],
  ])("keeps them with %j", (args) => {
    expect(isWholeRun(parseOptions(args))).toBe(false);
  });
});

describe("a replay", () => {
  it("draws an arm's rate towards its test's", () => {
    const [first] = readTests(file);
    const pool = 750 / 40_000;
    expect(first?.rates[0]).toBeCloseTo(120 / (10_000 + 20 / pool), 12);
    expect(first?.rates).toHaveLength(4);
    expect(sampleOf(readTests(file), 5).map(({ name }) => name)).toEqual(
      sampleOf(readTests(file), 5).map(({ name }) => name),
    );
    expect(sampleOf(readTests(file), 5)).toHaveLength(5);
  });

  it("tells what is wrong with a file", async () => {
    const wrong = join(folder, "wrong.csv");
    const head = "test,arm,impressions,clicks\n";
    const row = "must hold a test, an arm, impressions and clicks";
    for (const [text, message] of [
      [`${head}0,0,10,11\n`, `line 2: ${row}`],
      [`${head}0,0,500,5\n0,1,500,\n`, `line 3: ${row}`],
      [`${head}0,0,500,5\n0,1,,0\n`, `line 3: ${row}`],
      [`${head}0,0,1e3,5\n`, `line 2: ${row}`],
      [`${head}0,0,500,0.5\n`, `line 2: ${row}`],
      [`${head}0,0,500,-1\n`, `line 2: ${row}`],
      [head, "there are no tests in it"],
      ["a,b\n", "the first line must be test,arm,impressions,clicks"],
      ["", "the first line must be test,arm,impressions,clicks"],
    ] as const) {
      await writeFile(wrong, text);
      expect(() => readTests(wrong)).toThrow(message);
    }
  });

  it("is refused where no test that it takes has a click", async () => {
    const idle = join(folder, "idle.csv");
    await writeFile(idle, "test,arm,impressions,clicks\n0,0,500,5\n0,1,500,0\n1,0,500,0\n1,1,500,0\n");
    await expect(replayFile(idle, 1, OPTIONS, () => {})).rejects.toThrow("none of the 1 tests has a click");
  });

  it("reads a file of Windows, and counts with spaces around them", async () => {
    const other = join(folder, "other.csv");
    await writeFile(other, "test,arm,impressions,clicks\r\n0,0,500,5\r\n0,1, 500 , 5 \r\n");
    expect(readTests(other)[0]?.rates).toEqual([0.01, 0.01]);
  });

  it("is the same for the same seed, and another for another", () => {
    expect(replay("lanyap")).toEqual(replay("lanyap"));
    expect(replay("lanyap", 8)).not.toEqual(replay("lanyap"));
  });

  it("earns more by the service's order than by showing all alike", () => {
    const lines = (Object.keys(REPLAYED) as ReplayedName[]).map((name) => replay(name));
    expect(lines[0]?.policy).toBe("lanyap");
    expect(lines[0]?.overUniform).toBeGreaterThan(1.1);
    expect(lines.at(-1)?.overUniform).toBeCloseTo(1, 1);
    for (const { ofOracle, ofOracleLastHalf } of lines) {
      expect(ofOracle).toBeLessThan(1);
      expect(ofOracleLastHalf).toBeGreaterThan(0.5);
    }
  });
});
