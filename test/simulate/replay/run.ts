import { resolve } from "node:path";
import { inThreads } from "../core/parallel.ts";
import { lineOf, REPLAYED, sumOf, type Earned, type ReplayedName, type ReplayOptions } from "./replay.ts";
import { readTests, sampleOf, type Test } from "./tests.ts";

/** Describes what a thread does: some tests with a policy. */
export type ReplayTask = { tests: readonly Test[]; policy: ReplayedName; options: ReplayOptions };

/** Sets how many tests make a task: few, so that threads finish at about the same time. */
const TESTS = 25;

/**
 * Replays a file of tests with each policy.
 *
 * @param only how many of the tests, all of them by default
 * @param onProgress receives the share of the work that is done
 * @returns a line for each policy, the service's own first
 * @throws {Error} when the file is malformed, or no test has a click
 */
export const replayFile = async (
  file: string,
  only: number | undefined,
  options: ReplayOptions,
  onProgress: (share: number) => void,
) => {
  const all = readTests(file);
  const tests = only === undefined ? all : sampleOf(all, only);
  const hasClicks = tests.some(({ rates }) => rates.some((rate) => rate > 0));
  if (!hasClicks)
    throw new Error(`${file}: none of the ${tests.length} tests has a click, so no share can be worked out`);
  const policies = Object.keys(REPLAYED) as ReplayedName[];
  const tasks = policies.flatMap((policy) =>
    Array.from({ length: Math.ceil(tests.length / TESTS) }, (_, i): ReplayTask => ({
      tests: tests.slice(i * TESTS, (i + 1) * TESTS),
      policy,
      options,
    })),
  );
  const thread = resolve(import.meta.dirname, "thread.ts");
  const earned = await inThreads<Earned>(thread, tasks, (done) => onProgress(done / tasks.length));
  return policies.map((policy) =>
    lineOf(policy, options.requests, sumOf(earned.filter((_, i) => tasks[i]?.policy === policy))),
  );
};
