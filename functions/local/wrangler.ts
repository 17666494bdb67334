import { execFile } from "node:child_process";
import { join, resolve } from "node:path";

/** Names the project's folder, which holds wrangler.toml. */
export const ROOT = resolve(import.meta.dirname, "../..");

/** Returns why wrangler failed: what the build of the project's own parts printed, or else wrangler's own words. */
const reasonOf = ({ stdout, stderr }: { stdout: string; stderr: string }): string => {
  if (!/custom build.* failed/.test(stderr)) return stderr.trim();
  const own = [...stdout.matchAll(/^\[custom build\] (?!Running: )(.*)$/gm)].map(([, line = ""]) => line);
  return own
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
};

/**
 * Runs wrangler in a folder and returns what it prints. Wrangler asks no questions and sends no telemetry.
 *
 * @throws when wrangler fails, with what went wrong
 */
export const wrangler = (args: string[], cwd = ROOT): Promise<string> =>
  new Promise((resolveWith, reject) => {
    execFile(
      process.execPath,
      [join(ROOT, "node_modules/wrangler/bin/wrangler.js"), ...args],
      { cwd, env: { ...process.env, WRANGLER_SEND_METRICS: "false", FORCE_COLOR: "0" } },
      (error, stdout, stderr) => {
        // The error would show all that was printed once more, and with it the state of wrangler's processes.
        if (error)
          reject(new Error(`wrangler ${args[0]} failed:\n\n${reasonOf({ stdout, stderr }) || error.message}\n`));
        else resolveWith(stdout);
      },
    );
  });
