import { parentPort } from "node:worker_threads";
import { runTask, type RunTask } from "./study.ts";

parentPort?.on("message", (task: RunTask) => {
  parentPort?.postMessage(runTask(task));
});
