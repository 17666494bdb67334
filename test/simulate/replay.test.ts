import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lineOf, REPLAYED, replayTest, sumOf, type ReplayedName } from "./replay/replay.ts";
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
    await writeFile(wrong, "test,arm,impressions,clicks\n0,0,10,11\n");
    expect(() => readTests(wrong)).toThrow("line 2: must be a test, an arm, its impressions and its clicks");
    await writeFile(wrong, "a,b\n");
    expect(() => readTests(wrong)).toThrow("the first line must be test,arm,impressions,clicks");
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
