import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { BUNDLE_LIMIT_KB, ROOT, wrangler } from "./wrangler.ts";

const OUT = "dist/worker";

// Bundles the Worker as it is deployed, and fails when it has grown too large.
await wrangler(["deploy", "--dry-run", "--outdir", OUT]);
const script = readFileSync(join(ROOT, OUT, "index.js"));
const kilobytes = (bytes: number) => (bytes / 1024).toFixed(1);
const zipped = gzipSync(script).length;
console.log(
  `Worker bundle: ${kilobytes(script.length)} KB, ${kilobytes(zipped)} KB gzip (limit ${BUNDLE_LIMIT_KB} KB)`,
);
if (zipped > BUNDLE_LIMIT_KB * 1024) process.exitCode = 1;
