import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { writeBuilt } from "../local/built-file.ts";

const root = join(import.meta.dirname, "../..");

/** Bundles the app with its description for Node, and returns the description. */
const described = async (): Promise<object> => {
  const outfile = join(root, `dist/description.${process.pid}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, "describe.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    alias: { "cloudflare:workers": join(import.meta.dirname, "cloudflare-workers.ts") },
  });
  try {
    const { describe } = (await import(pathToFileURL(outfile).href)) as { describe: () => object };
    return describe();
  } finally {
    rmSync(outfile, { force: true });
  }
};

// Wrangler runs this before it bundles the Worker, and serves what it writes. With --accept, the result also becomes
// the description that changes are compared with.
const description = await described();
writeBuilt(join(root, "dist/assets/openapi.json"), `${JSON.stringify(description)}\n`);
if (process.argv.includes("--accept")) {
  writeBuilt(join(root, "functions/description/openapi.json"), `${JSON.stringify(description, null, 2)}\n`);
}
