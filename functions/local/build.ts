import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { BUNDLE_LIMIT_KB, SCRIPT_LIMIT_KB } from "./limits.ts";
import { ROOT, wrangler } from "./wrangler.ts";

const OUT = "dist/worker";

// Bundles the Worker as it is deployed, and passes on what its parts report of their sizes.
const told = await wrangler(["deploy", "--dry-run", "--outdir", OUT]);
for (const [, line] of told.matchAll(/^\[custom build\] (?!Running)(.*\S)$/gm)) console.log(line);

const script = readFileSync(join(ROOT, OUT, "index.js"));
const kilobytes = (bytes: number) => (bytes / 1024).toFixed(1);
const zipped = gzipSync(script).length;
console.log(
  `Worker bundle: ${kilobytes(script.length)} KB, ${kilobytes(zipped)} KB gzip (limit ${BUNDLE_LIMIT_KB} KB)`,
);

// Only this script fails for what is too large: another zlib may need a few bytes more, which is no reason not to
// start.
const embed = JSON.parse(readFileSync(join(ROOT, "dist/assets/embed.json"), "utf8")) as { gzip: number };
if (zipped > BUNDLE_LIMIT_KB * 1024 || embed.gzip > SCRIPT_LIMIT_KB * 1024) process.exitCode = 1;
