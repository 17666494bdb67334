import type { Listed } from "../clever/cases.ts";
import type { Bench } from "../context.ts";
import { bundleHelper } from "../servers/bundle.ts";
import { runMicros } from "../servers/processes.ts";
import type { Workerd } from "../servers/workerd.ts";
import { fixed, type PartResult } from "../report.ts";
import { median } from "../traffic/rounds.ts";

type Way = "fast" | "plain";

/** Holds nanoseconds of a call, round by round. */
type Measured = Listed & Record<Way, number[]>;

const WAYS: readonly Way[] = ["fast", "plain"];

/** Runs one way a number of times, and returns the CPU time in nanoseconds. */
const run = async ({ url, pid }: Workerd, at: number, way: Way, times: number): Promise<number> => {
  const before = runMicros(pid);
  const answer = await fetch(`${url}/run?at=${at}&way=${way}&times=${times}`);
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`case ${at} answered ${answer.status}`);
  return (runMicros(pid) - before) * 1_000;
};

/** Finds how many calls take long enough to be measured, which warms the code up, too. */
const timesFor = async (worker: Workerd, at: number, way: Way, enough: number): Promise<number> => {
  for (let times = 256; ; times *= 2) if ((await run(worker, at, way, times)) > enough) return times;
};

const measure = async (worker: Workerd, listed: readonly Listed[], rounds: number, enough: number) => {
  const measured: Measured[] = [];
  for (const [at, about] of listed.entries()) {
    const times = {
      fast: await timesFor(worker, at, "fast", enough),
      plain: await timesFor(worker, at, "plain", enough),
    };
    const found: Measured = { ...about, fast: [], plain: [] };
    for (let round = 0; round < rounds; round++) {
      for (const way of round % 2 === 0 ? WAYS : WAYS.toReversed()) {
        found[way].push((await run(worker, at, way, times[way])) / times[way]);
      }
    }
    measured.push(found);
  }
  return measured;
};

const microseconds = (nanoseconds: number): string => fixed(nanoseconds / 1_000, 2);

/** Measures what the service's fast ways gain over plain ones, in microseconds of CPU time. */
export const clever = async (bench: Bench): Promise<PartResult> => {
  const worker = await bench.serve({ source: await bundleHelper("clever") });
  const listed = await (await fetch(worker.url)).json<Listed[]>();
  const [rounds, enough] = bench.quick ? [1, 20_000_000] : [7, 150_000_000];
  const measured = await measure(worker, listed, rounds, enough);
  return {
    tables: [
      {
        title: "Fast ways beside plain ones, CPU µs",
        columns: ["module", "what it does", "fast", "plain", "calls an answer", "gain an answer"],
        rows: measured.map(({ module, what, calls, fast, plain }) => [
          `\`${module}\``,
          what,
          microseconds(median(fast)),
          microseconds(median(plain)),
          String(calls),
          microseconds((median(plain) - median(fast)) * calls),
        ]),
      },
    ],
    bars: [],
    data: measured,
  };
};
