import { parentPort } from "node:worker_threads";
import { CASES } from "./cases.ts";
import { runCase } from "./run.ts";
import type { PacingTask } from "./study.ts";

parentPort?.on("message", ({ name, seed }: PacingTask) => {
  parentPort?.postMessage(runCase(CASES[name], seed));
});
