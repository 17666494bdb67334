import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { ROOT, wrangler } from "../../../functions/local/wrangler.ts";

/** Names a folder of the bench's own, since tests build theirs at the same time. */
const OUT = "dist/bench-worker";

/** Builds the Worker as it is deployed, and returns its script. */
export const buildService = async (): Promise<string> => {
  await wrangler(["deploy", "--dry-run", "--outdir", OUT]);
  return readFile(join(ROOT, OUT, "index.js"), "utf8");
};

/** Describes the answer of a Worker that does nothing but answer. */
export type Constant = { body: string; headers: Record<string, string> };

/**
 * Bundles one of the small Workers in `workers/`.
 *
 * @param answer what takes the place of its `BODY` and `HEADERS`
 */
export const bundleHelper = async (
  name: "assets" | "bare" | "clever" | "hono" | "stub",
  { body, headers }: Constant = { body: "", headers: {} },
): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "workers", `${name}.ts`)],
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    external: ["cloudflare:workers"],
    define: { BODY: JSON.stringify(body), HEADERS: JSON.stringify(headers) },
  });
  const [output] = outputFiles;
  if (!output) throw new Error(`${name} was not bundled`);
  return output.text;
};
