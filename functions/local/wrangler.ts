import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Names the project's folder, which holds wrangler.toml. */
export const ROOT = resolve(import.meta.dirname, "../..");

/**
 * Runs wrangler in a folder and returns what it prints. It asks nothing and reports nothing to its makers.
 *
 * @throws when wrangler fails
 */
export const wrangler = async (args: string[], cwd = ROOT): Promise<string> => {
  const { stdout } = await run(process.execPath, [join(ROOT, "node_modules/wrangler/bin/wrangler.js"), ...args], {
    cwd,
    env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
  });
  return stdout;
};
