import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";

const run = promisify(execFile);

export const ROOT = resolve(import.meta.dirname, "../..");

/** A folder of its own: tests build theirs at the same time. */
const OUT = "dist/bench-worker";

/** Runs wrangler in a folder, without asking or telling anyone. */
export const wrangler = async (args: string[], cwd = ROOT): Promise<string> => {
  const { stdout } = await run(process.execPath, [join(ROOT, "node_modules/wrangler/bin/wrangler.js"), ...args], {
    cwd,
    env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
  });
  return stdout;
};

/** Builds the Worker as it is deployed, and reads its script. */
export const buildService = async (): Promise<string> => {
  await wrangler(["deploy", "--dry-run", "--outdir", OUT]);
  return readFile(join(ROOT, OUT, "index.js"), "utf8");
};

/** What a Worker that does nothing else answers. */
export type Constant = { body: string; headers: Record<string, string> };

/**
 * Bundles one of the small Workers in `workers/`.
 *
 * @param answer what takes the place of its `BODY` and `HEADERS`
 */
export const bundleHelper = async (
  name: "assets" | "bare" | "hono" | "stub",
  { body, headers }: Constant = { body: "", headers: {} },
): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "workers", `${name}.ts`)],
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    define: { BODY: JSON.stringify(body), HEADERS: JSON.stringify(headers) },
  });
  const [output] = outputFiles;
  if (!output) throw new Error(`${name} was not bundled`);
  return output.text;
};
