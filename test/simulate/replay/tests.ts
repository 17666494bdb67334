import { readFileSync } from "node:fs";

/** Holds the true rates of the arms of a test, in their order. */
export type Test = { name: string; rates: readonly number[] };

const HEAD = "test,arm,impressions,clicks";
const EVENTS = 20;

/** Reads a count; anything else, such as an empty text, becomes `NaN`. */
const countOf = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : NaN);

/**
 * Reads tests from a file of rows `test,arm,impressions,clicks`. Arms' rates are shrunk towards their test's, small
 * arms' the most.
 *
 * @throws {Error} when a row is malformed, or there is none
 */
export const readTests = (path: string): Test[] => {
  const [head, ...rows] = readFileSync(path, "utf8").trim().split(/\r?\n/);
  if (head?.trim() !== HEAD) throw new Error(`${path}: the first line must be ${HEAD}`);
  const tests = new Map<string, { impressions: number; clicks: number }[]>();
  for (const [i, row] of rows.entries()) {
    const [test = "", , ...counts] = row.split(",");
    const [impressions = NaN, clicks = NaN] = counts.map(countOf);
    if (counts.length !== 2 || !(impressions >= clicks && clicks >= 0 && impressions > 0))
      throw new Error(`${path}, line ${i + 2}: must hold a test, an arm, impressions and clicks`);
    const arms = tests.get(test) ?? [];
    arms.push({ impressions, clicks });
    tests.set(test, arms);
  }
  if (tests.size === 0) throw new Error(`${path}: there are no tests in it`);
  return [...tests].map(([name, arms]) => {
    const pool =
      arms.reduce((sum, { clicks }) => sum + clicks, 0) / arms.reduce((sum, arm) => sum + arm.impressions, 0);
    return {
      name,
      rates: arms.map((arm) => (pool > 0 ? (arm.clicks + EVENTS) / (arm.impressions + EVENTS / pool) : 0)),
    };
  });
};

/** Takes some of the tests, always the same ones, spread evenly over all. */
export const sampleOf = (tests: readonly Test[], count: number): Test[] =>
  tests.filter((_, i) => Math.floor(((i + 1) * count) / tests.length) > Math.floor((i * count) / tests.length));
