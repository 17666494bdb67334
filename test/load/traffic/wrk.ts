import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeFolder } from "../servers/folders.ts";
import { CLIENT_CORE, cpuMicros } from "../servers/processes.ts";

const run = promisify(execFile);

const CONNECTIONS = 16;

/** Names where requests go. Without `pid` the CPU time is unknown. */
export type Target = { url: string; pid?: number };

/**
 * Holds what a measurement gave: times of answers in milliseconds, and CPU time of the server in microseconds a
 * request.
 */
export type Load = {
  requests: number;
  seconds: number;
  rate: number;
  p50: number;
  p99: number;
  errors: number;
  cpu: number;
};

/**
 * Describes requests that differ from one to the next. `path` is a Lua expression of `n`, which counts requests from
 * `first` on. `setup` is Lua that runs before the first.
 */
export type Requests = { path: string; first?: number; setup?: string };

/** Tells whether the load generator is installed. Debian has it as the package `wrk`. */
export const hasWrk = async (): Promise<boolean> =>
  run("which", ["wrk"]).then(
    () => true,
    () => false,
  );

const milliseconds = (text: string | undefined): number => {
  const [, value, unit = ""] = /^([\d.]+)(us|ms|s|m)$/.exec(text ?? "") ?? [];
  return Number(value ?? Number.NaN) * ({ us: 0.001, ms: 1, s: 1_000, m: 60_000 }[unit] ?? Number.NaN);
};

const countErrors = (output: string): number => {
  const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0);
  const broken = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output)?.slice(1) ?? [];
  return broken.reduce((sum, count) => sum + Number(count), refused);
};

const script = ({ path, first = 0, setup = "" }: Requests, url: string): string => `
${setup}
local n = ${first}
request = function()
  n = n + 1
  return "GET " .. ${path} .. " HTTP/1.1\\r\\nHost: ${new URL(url).host}\\r\\n\\r\\n"
end`;

/** Sends requests over 16 connections for a number of seconds, each as soon as the last is answered. */
export const measure = async (target: Target, requests: Requests, seconds: number): Promise<Load> => {
  const folder = await makeFolder("wrk");
  try {
    const file = join(folder, "requests.lua");
    await writeFile(file, script(requests, target.url));
    const settings = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "--latency", "--timeout", "10s", "-s", file];
    const before = target.pid === undefined ? 0 : cpuMicros(target.pid);
    const { stdout } = await run("taskset", ["-c", String(CLIENT_CORE), "wrk", ...settings, target.url]);
    const used = target.pid === undefined ? Number.NaN : cpuMicros(target.pid) - before;
    const [, count = "0"] = /(\d+) requests in/.exec(stdout) ?? [];
    return {
      requests: Number(count),
      seconds,
      rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
      p50: milliseconds(/^\s*50%\s+(\S+)/m.exec(stdout)?.[1]),
      p99: milliseconds(/^\s*99%\s+(\S+)/m.exec(stdout)?.[1]),
      errors: countErrors(stdout),
      cpu: used / Number(count),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
