import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The largest Worker, gzipped, that the project allows: Workers start slower the larger their script is. */
export const BUNDLE_LIMIT_KB = 175;

/** The project's folder, with wrangler.toml. */
export const ROOT = resolve(import.meta.dirname, "../..");

/** Runs wrangler in a folder, without asking or telling anyone. */
export const wrangler = async (args: string[], cwd = ROOT): Promise<string> => {
  const { stdout } = await run(process.execPath, [join(ROOT, "node_modules/wrangler/bin/wrangler.js"), ...args], {
    cwd,
    env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
  });
  return stdout;
};
