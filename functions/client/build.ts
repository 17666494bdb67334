import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Description } from "./description.ts";
import { clientSources } from "./sources.ts";

const root = join(import.meta.dirname, "../..");
const project = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<"version" | "license", string>;

/** Describes the package to npm and to whoever imports it. */
const PACKAGE = {
  name: "lanyap-client",
  version: project.version,
  description: "Typed client of Lanyap, an open-source offer service for stores",
  license: project.license,
  type: "module",
  sideEffects: false,
  exports: {
    ".": { types: "./index.d.ts", default: "./index.js" },
    "./operations": { types: "./operations.d.ts", default: "./operations.js" },
    "./package.json": "./package.json",
  },
  types: "./index.d.ts",
  engines: { node: ">=20" },
};

/** Tells the compiler what to make from the sources: modules for every runtime, and their types. */
const compilerOptions = {
  target: "es2022",
  lib: ["es2023", "dom", "dom.iterable"],
  types: [],
  module: "nodenext",
  declaration: true,
  rewriteRelativeImportExtensions: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  rootDir: "source",
  outDir: "package",
};

// Makes the package lanyap-client from the description that the build of the Worker has just written: the runtime as it
// is here, and generated modules. Another folder may be named, for tests.
const out = resolve(process.argv[2] ?? join(root, "dist/client"));
const description = JSON.parse(readFileSync(join(root, "dist/assets/openapi.json"), "utf8")) as Description;

const made = `${out}.${process.pid}.tmp`;
const source = join(made, "source");
const target = join(made, "package");
mkdirSync(target, { recursive: true });
mkdirSync(source, { recursive: true });
cpSync(join(import.meta.dirname, "package"), target, { recursive: true });
cpSync(join(root, "LICENSE"), join(target, "LICENSE"));
for (const [name, text] of Object.entries(clientSources(description))) writeFileSync(join(source, name), text);
writeFileSync(join(target, "package.json"), `${JSON.stringify(PACKAGE, null, 2)}\n`);
writeFileSync(join(made, "package.json"), JSON.stringify({ type: "module" }));
writeFileSync(join(made, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["source"] }));
try {
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", made], { stdio: "inherit" });
  rmSync(out, { recursive: true, force: true });
  renameSync(target, out);
} finally {
  rmSync(made, { recursive: true, force: true });
}
