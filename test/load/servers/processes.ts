import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/**
 * Names the processors: servers under test run on the first; load generator, database and this process on the second.
 */
export const SERVER_CORE = 0;
export const CLIENT_CORE = availableParallelism() > 1 ? 1 : 0;

const TICKS_A_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Keeps this process, and all that it starts without a core of its own, off the servers' processor. */
export const leaveServerCore = (): void => {
  execFileSync("taskset", ["-acp", String(CLIENT_CORE), String(process.pid)], { stdio: "ignore" });
};

/** Lists a process and all its descendants. */
const treeOf = (pid: number): number[] => {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const children = tasks.flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(treeOf)];
};

/**
 * Returns the CPU time that a process tree has used, in microseconds. The kernel counts it in hundredths of a second.
 */
export const cpuMicros = (pid: number): number => {
  let ticks = 0;
  for (const member of treeOf(pid)) {
    // The name before these fields, in parentheses, may contain blanks.
    const fields = readFileSync(`/proc/${member}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return (ticks * 1_000_000) / TICKS_A_SECOND;
};

/**
 * Returns the CPU time of a process's living threads in microseconds, counted to the nanosecond. Use it for short
 * times.
 */
export const runMicros = (pid: number): number => {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = tasks.map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ", 1)[0]),
  );
  return nanoseconds.reduce((sum, time) => sum + time, 0) / 1_000;
};

/** Returns the memory of a process tree that is in RAM, in megabytes. */
export const residentMegabytes = (pid: number): number => {
  let kilobytes = 0;
  for (const member of treeOf(pid)) {
    kilobytes += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${member}/status`, "utf8"))?.[1] ?? 0);
  }
  return kilobytes / 1024;
};
