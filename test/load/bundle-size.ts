import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";

/** Workers start slower the larger their script is; this is where the project draws its line. */
const LIMIT_KB = 150;
const OUT = "dist/worker";

const root = resolve(import.meta.dirname, "../..");
const wrangler = resolve(root, "node_modules/wrangler/bin/wrangler.js");
execFileSync(process.execPath, [wrangler, "deploy", "--dry-run", "--outdir", OUT], {
  cwd: root,
  stdio: ["ignore", "ignore", "inherit"],
  env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
});
const script = readFileSync(resolve(root, OUT, "index.js"));
const kilobytes = (bytes: number) => (bytes / 1024).toFixed(1);
const zipped = gzipSync(script).length;
console.log(`Worker bundle: ${kilobytes(script.length)} KB, ${kilobytes(zipped)} KB gzip (limit ${LIMIT_KB} KB)`);
if (zipped > LIMIT_KB * 1024) process.exitCode = 1;
