import { readFile, mkdir, writeFile } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { cpus, loadavg } from "node:os";
import { dirname } from "node:path";

export type Table = { title: string; columns: string[]; rows: string[][] };

/** Describes a figure of the design: what was measured, and whether the bar is met. */
export type Bar = { what: string; bar: string; measured: string; met: boolean };

/**
 * Holds what a part found. `failure` reports something wrong, not something slow. `skipped` says why there is nothing.
 * `data` has the raw figures.
 */
export type PartResult = { tables: Table[]; bars: Bar[]; data?: unknown; failure?: string; skipped?: string };

/** Holds a part's result as the JSON file keeps it: with when, where and how it was measured. */
export type Recorded = PartResult & { at: string; machine: string; command: string };

/** Writes a table in Markdown, with aligned columns. */
export const markdown = ({ title, columns, rows }: Table): string => {
  const widths = columns.map((name, i) => Math.max(3, name.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  return [`### ${title}`, "", line(columns), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join(
    "\n",
  );
};

/** Returns bars as a table. */
export const barsTable = (bars: readonly Bar[]): Table => ({
  title: "Bars",
  columns: ["what", "bar", "measured", ""],
  rows: bars.map((bar) => [bar.what, bar.bar, bar.measured, bar.met ? "met" : "NOT met"]),
});

/** Describes the machine at this moment: processor, cores, load average of the last minute, runtime. */
export const describeMachine = (): string => {
  const workerd = execFileSync("node_modules/workerd/bin/workerd", ["--version"], { encoding: "utf8" }).trim();
  const [load = 0] = loadavg();
  return `${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, load ${load.toFixed(1)}, ${workerd}`;
};

/** Formats a number as people read it. */
export const whole = (value: number): string => Math.round(value).toLocaleString("en-US");
export const percent = (value: number): string => `${(value * 100).toFixed(value < 0.1 ? 1 : 0)} %`;
export const fixed = (value: number, digits = 1): string => (Number.isFinite(value) ? value.toFixed(digits) : "–");

/** Reads the results of a JSON file, by part. A missing file has none. */
export const readResults = async (path: string): Promise<Record<string, Recorded>> => {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Record<string, Recorded>;
  } catch {
    return {};
  }
};

/** Writes the results of this run, and keeps those of parts that were not run now. */
export const writeResults = async (path: string, results: Record<string, Recorded>): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify({ ...(await readResults(path)), ...results }, null, 2)}\n`);
};
