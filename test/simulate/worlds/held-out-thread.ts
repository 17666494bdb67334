import { parentPort } from "node:worker_threads";
import { runHeldOutTask, type HeldOutTask } from "./held-out-study.ts";

parentPort?.on("message", (task: HeldOutTask) => {
  parentPort?.postMessage(runHeldOutTask(task));
});
