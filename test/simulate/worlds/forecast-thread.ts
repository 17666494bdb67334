import { parentPort } from "node:worker_threads";
import { runForecast } from "./forecast.ts";

parentPort?.on("message", (seed: number) => {
  void runForecast(seed).then((forecast) => parentPort?.postMessage(forecast));
});
