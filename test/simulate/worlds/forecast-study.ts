import { resolve } from "node:path";
import { inThreads } from "../core/parallel.ts";
import type { Bar } from "../report/bars.ts";
import { mean } from "../report/statistics.ts";
import { seedOf } from "./catalogue.ts";
import type { Forecast } from "./forecast.ts";

/** Names the world in which offers are forecast. */
export const FORECAST_WORLD = "forecast";

const RUNS = 100;
const QUICK_RUNS = 5;
const HELD = 0.9;

/** Bounds in how many runs more may come than is expected. */
const MIDDLE = [0.3, 0.7] as const;
const MIDDLES = ["shown", "cost"] as const;

const KINDS = ["share", "shown", "cost"] as const;

const barOf = (kind: (typeof KINDS)[number], runs: readonly Forecast[]): Bar => {
  const told = runs.flatMap(({ truth, ...forecast }) => {
    const range = forecast[kind];
    return range ? [{ ...range, truth: truth[kind] }] : [];
  });
  const held = told.filter(({ low, high, truth }) => low <= truth && truth <= high).length;
  const ratio = mean(told.map(({ expected }) => expected)) / mean(told.map(({ truth }) => truth));
  return {
    what: `forecast: ${kind} within its interval`,
    bar: `≥ ${HELD * 100} % of runs`,
    measured: `${held} of ${told.length}; on average ${ratio.toFixed(2)} times what came`,
    met: told.length > 0 && held >= HELD * told.length,
  };
};

/** Holds what is expected against what came: it is as likely to be more as to be less. */
const middleOf = (kind: (typeof MIDDLES)[number], runs: readonly Forecast[]): Bar => {
  const told = runs.flatMap(({ truth, ...forecast }) => {
    const range = forecast[kind];
    return range ? [truth[kind] > range.expected] : [];
  });
  const more = told.filter((isMore) => isMore).length;
  const [least, most] = MIDDLE;
  return {
    what: `forecast: ${kind} more than expected`,
    bar: `${least * 100} % to ${most * 100} % of runs`,
    measured: `${more} of ${told.length}`,
    met: more >= least * told.length && more <= most * told.length,
  };
};

/** Runs the world in which offers are forecast, in threads, and holds it against its bars. */
export const forecastBars = async (
  { seed, quick, runs = quick ? QUICK_RUNS : RUNS }: { seed: number; quick: boolean; runs: number | undefined },
  onProgress: (share: number) => void,
): Promise<Bar[]> => {
  const seeds = Array.from({ length: runs }, (_, run) => seedOf(91, seed, run));
  const thread = resolve(import.meta.dirname, "forecast-thread.ts");
  const done = await inThreads<Forecast>(thread, seeds, (count) => onProgress(count / seeds.length));
  return [...KINDS.map((kind) => barOf(kind, done)), ...MIDDLES.map((kind) => middleOf(kind, done))];
};
