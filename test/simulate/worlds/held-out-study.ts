import { resolve } from "node:path";
import { inThreads } from "../core/parallel.ts";
import type { Bar } from "../report/bars.ts";
import { mean } from "../report/statistics.ts";
import { seedOf } from "./catalogue.ts";
import { runHeldOut, type Look } from "./held-out.ts";

/** Lists the worlds in which sessions are held out: one where learning earns something, and one where it cannot. */
export const HELD_OUT_WORLDS = ["holdout", "nothing to gain"] as const;

type HeldOutWorld = (typeof HELD_OUT_WORLDS)[number];

const SIZE = { requests: 28_000, batch: 1_000, days: 28 };
const RUNS = 200;
const QUICK_RUNS = 10;
const COVERED = 0.93;

/** Describes a run in a thread. */
export type HeldOutTask = { world: HeldOutWorld; seed: number; run: number };

/** Runs a world. Runs of the same number meet the same customers. */
export const runHeldOutTask = ({ world, seed, run }: HeldOutTask): Look[] =>
  runHeldOut(SIZE, seedOf(90, seed, run), world !== "holdout");

const isCovered = (looks: readonly Look[]): boolean =>
  looks.every(({ truth, low, high }) => low <= truth && truth <= high);

const usd = (amount: number): string => amount.toFixed(2);

const barsOf = (world: HeldOutWorld, runs: readonly Look[][]): Bar[] => {
  const told = runs.filter((looks) => looks.length > 0);
  const covered = told.filter(isCovered).length;
  const last = told.flatMap((looks) => looks.at(-1) ?? []);
  const decided = last.filter(({ low, high }) => low > 0 || high < 0).length;
  const first = mean(told.map((looks) => (looks[0]?.day ?? 0) - Math.floor(Date.UTC(2026, 0, 1) / 86_400_000)));
  return [
    {
      what: `${world}: true gain within the interval, each day`,
      bar: `≥ ${COVERED * 100} % of runs`,
      measured: `${covered} of ${told.length} runs with an interval (${runs.length} in all)`,
      met: told.length > 0 && covered >= COVERED * told.length,
    },
    {
      what: `${world}: result after ${SIZE.days} days and ${SIZE.requests} requests`,
      bar: "",
      measured: `gain ${usd(mean(last.map(({ truth }) => truth)))} USD a thousand requests, ± ${usd(mean(last.map(({ low, high }) => (high - low) / 2)))}; beyond doubt in ${decided} runs; the first look on day ${first.toFixed(0)}`,
      met: true,
    },
  ];
};

/** Runs the worlds in which sessions are held out, in threads, and holds them against their bars. */
export const heldOutBars = async (
  worlds: readonly HeldOutWorld[],
  { seed, quick, runs = quick ? QUICK_RUNS : RUNS }: { seed: number; quick: boolean; runs: number | undefined },
  onProgress: (share: number) => void,
): Promise<Bar[]> => {
  const tasks = worlds.flatMap((world) =>
    Array.from({ length: runs }, (_, run): HeldOutTask => ({ world, seed, run })),
  );
  const thread = resolve(import.meta.dirname, "held-out-thread.ts");
  const done = await inThreads<Look[]>(thread, tasks, (count) => onProgress(count / tasks.length));
  return worlds.flatMap((world) =>
    barsOf(
      world,
      done.filter((_, i) => tasks[i]?.world === world),
    ),
  );
};
