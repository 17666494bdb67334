import { parentPort } from "node:worker_threads";
import { replayTest, sumOf } from "./replay.ts";
import type { ReplayTask } from "./run.ts";

parentPort?.on("message", ({ tests, policy, options }: ReplayTask) => {
  parentPort?.postMessage(sumOf(tests.map((test) => replayTest(test, policy, options))));
});
