import { expect, it } from "vitest";
import { runSplit } from "./creatives/split.ts";
import { mean } from "./report/statistics.ts";

const play = (creatives: number, isLearned: boolean) =>
  Array.from({ length: 6 }, (_, seed) =>
    runSplit({ creatives, requests: 8_000, batch: 250, days: 10, isLearned, seed }),
  );

it.each([2, 4])("shows the best of %i creatives more often, and gets more clicks by that", (creatives) => {
  const [learned, alike] = [play(creatives, true), play(creatives, false)];
  const of = (runs: typeof learned) => mean(runs.map(({ ofBestLastHalf }) => ofBestLastHalf));
  expect(of(learned)).toBeGreaterThan(of(alike) + 0.05);
  expect(mean(learned.map(({ bestShare }) => bestShare))).toBeGreaterThan(1.3 / creatives);
  expect(mean(alike.map(({ bestShare }) => bestShare))).toBeCloseTo(1 / creatives, 1);
});

it("is the same for the same seed", () => {
  expect(play(2, true)).toEqual(play(2, true));
});
