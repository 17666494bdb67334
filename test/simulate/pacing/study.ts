import { resolve } from "node:path";
import { inThreads } from "../core/parallel.ts";
import type { Bar } from "../report/bars.ts";
import { mean } from "../report/statistics.ts";
import { CASES, EVEN, type CaseName } from "./cases.ts";
import type { PacingRun } from "./run.ts";

/** Describes what a thread does: one run of a case. */
export type PacingTask = { name: CaseName; seed: number };

/** Maps cases to their runs. */
export type PacingStudy = Map<CaseName, PacingRun[]>;

/** Sets how far apart the seeds of different studies are. */
const SEEDS = 1_000;

/** Runs all cases, in threads. */
export const pacingStudyOf = async (
  { seed, runs }: { seed: number; runs: number },
  onProgress: (share: number) => void,
): Promise<PacingStudy> => {
  const tasks = (Object.keys(CASES) as CaseName[]).flatMap((name) =>
    Array.from({ length: runs }, (_, run): PacingTask => ({ name, seed: seed * SEEDS + run })),
  );
  const thread = resolve(import.meta.dirname, "thread.ts");
  const done = await inThreads<PacingRun>(thread, tasks, (count) => onProgress(count / tasks.length));
  const study: PacingStudy = new Map();
  for (const [i, { name }] of tasks.entries()) {
    const run = done[i];
    if (run) study.set(name, [...(study.get(name) ?? []), run]);
  }
  return study;
};

/** Returns the root mean square of errors. */
export const rmsOf = (errors: readonly number[]): number => Math.sqrt(mean(errors.map((error) => error ** 2)));

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

/** Sets how far billed events may be from the curve, and which share of the caps has to be used up. */
const MOST_ERROR = 0.05;
const LEAST_BILLED = 0.98;

/** Compares a study with its bars, which each paced case has to meet by itself. */
export const pacingBarsOf = (study: PacingStudy): Bar[] =>
  (Object.keys(EVEN) as CaseName[]).flatMap((name) => {
    const runs = study.get(name) ?? [];
    const error = rmsOf(runs.flatMap(({ errors }) => errors));
    const billed = mean(runs.map((run) => run.billed));
    return [
      { what: `${name}: from its curve`, bar: "≤ 5 % RMS", measured: percent(error), met: error <= MOST_ERROR },
      { what: `${name}: billed`, bar: "≥ 98 % of the caps", measured: percent(billed), met: billed >= LEAST_BILLED },
    ];
  });

/** Names the columns of {@link pacingRows}. */
export const PACING_COLUMNS = [
  "offer",
  "RMS",
  "worst seed",
  "billed",
  "worst seed",
  "past the cap",
  "of the bound",
  "puts",
];

/**
 * Tells for each case how far it was from its curve, which share of its caps was billed, and how much was shown past a
 * cap at most, in events and as a share of the requests of the busiest two minutes.
 */
export const pacingRows = (study: PacingStudy): string[][] =>
  [...study].map(([name, runs]) => {
    const most = (of: (run: PacingRun) => number) => Math.max(...runs.map(of));
    return [
      name,
      percent(rmsOf(runs.flatMap(({ errors }) => errors))),
      percent(most(({ errors }) => rmsOf(errors))),
      percent(mean(runs.map(({ billed }) => billed))),
      percent(Math.min(...runs.map(({ billed }) => billed))),
      String(most(({ overrun }) => overrun)),
      percent(most(({ overrun, fastest }) => overrun / fastest)),
      mean(runs.map(({ puts }) => puts)).toFixed(0),
    ];
  });
