import { readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { writeBuilt } from "../local/built-file.ts";
import { writeClient } from "./write-client.ts";

// Builds the console: one page, and scripts whose names have their hashes. Wrangler runs this before it bundles the
// Worker, which serves the folder through the binding ASSETS.
const LIMIT = 60 * 1024;
const source = import.meta.dirname;
const root = join(source, "../..");
const out = join(root, "dist/assets/console");

writeClient();
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [join(source, "app.tsx"), join(source, "styles/styles.css")],
  outdir: out,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  bundle: true,
  minify: true,
  splitting: true,
  metafile: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  jsx: "automatic",
  jsxImportSource: "preact",
});

const outputOf = (entry: string): string => {
  const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(entry));
  if (!found) throw new Error(`esbuild made nothing of ${entry}`);
  return found[0];
};

/** Lists a script and all that it loads with it, by their paths. */
const loadedBy = (path: string, outputs: Metafile["outputs"], seen = new Set<string>()): Set<string> => {
  if (seen.has(path)) return seen;
  seen.add(path);
  const imports = outputs[path]?.imports ?? [];
  for (const found of imports) if (found.kind === "import-statement") loadedBy(found.path, outputs, seen);
  return seen;
};

const zipped = (paths: Iterable<string>): number =>
  [...paths].reduce((sum, path) => sum + gzipSync(readFileSync(join(root, path)), { level: 9 }).length, 0);

const screenOf = (name: string): string[] =>
  Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) => (entryPoint?.endsWith(name) ? [path] : []));

const script = outputOf("app.tsx");
const style = outputOf("styles/styles.css");
const first = loadedBy(script, metafile.outputs);
for (const path of screenOf("screens/overview/overview.tsx")) loadedBy(path, metafile.outputs, first);

writeBuilt(
  join(out, "page.html"),
  readFileSync(join(source, "page.html"), "utf8")
    .replace("{{style}}", basename(style))
    .replace("{{script}}", basename(script)),
);

// These tokens, which everybody knows, come only with `npm start`. Every other build removes them, so none is deployed.
const demo = process.env["LANYAP_CONSOLE_DEMO"];
if (demo) writeBuilt(join(out, "demo.json"), demo);
else rmSync(join(out, "demo.json"), { force: true });

const kept = new Set(["page.html", "demo.json", ...Object.keys(metafile.outputs).map((path) => basename(path))]);
for (const name of readdirSync(out)) {
  if (!kept.has(name) && !name.endsWith(".tmp")) rmSync(join(out, name), { force: true });
}

const size = zipped(first);
process.stdout.write(`Console: ${size} bytes gzip of script for the first screen (limit ${LIMIT})\n`);
if (size > LIMIT) process.exitCode = 1;
