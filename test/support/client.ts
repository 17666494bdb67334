import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import type { Answer, ClientOptions } from "../../functions/client/runtime/options.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

/** Describes a folder with the package installed from its archive, as users have it. */
export type Installed = {
  folder: string;
  /** Lists the files of the archive. */
  files: string[];
};

const install = async (): Promise<Installed> => {
  const folder = await mkdtemp(join(tmpdir(), "lanyap-client-"));
  const made = join(folder, "made");
  await run(process.execPath, [join(ROOT, "functions/client/build.ts"), made]);
  const npm = (...args: string[]) =>
    run("npm", [...args, "--offline", "--no-audit", "--no-fund", "--cache", join(folder, "cache")], { cwd: folder });
  const { stdout } = await npm("pack", made, "--json");
  const [archive] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  if (!archive) throw new Error("npm packed nothing");
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "user", private: true, type: "module" }));
  await npm("install", `./${archive.filename}`);
  return { folder, files: archive.files.map(({ path }) => path) };
};

let installed: Promise<Installed> | null = null;

/** Installs the client from its archive, once for all test files of a process. */
export const installedClient = (): Promise<Installed> => (installed ??= install());

/** Writes a program beside the installed package, and returns its path. */
export const writeProgram = async (name: string, text: string): Promise<string> => {
  const path = join((await installedClient()).folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
};

/** Bundles a program that imports the package, as for a page or a Worker. */
export const bundled = async (text: string, format: "esm" | "iife" = "esm"): Promise<string> => {
  const { folder } = await installedClient();
  const { outputFiles } = await build({
    stdin: { contents: text, resolveDir: folder },
    bundle: true,
    write: false,
    minify: true,
    format,
    target: "es2022",
  });
  return outputFiles[0]?.text ?? "";
};

const COMPILERS = { "5.9": "typescript-5.9", 7: "typescript" } as const;

/** Names a release of TypeScript that the types support. */
export type Release = keyof typeof COMPILERS;

/**
 * Compiles programs beside the installed package in strict mode, and returns the compiler's complaints. Without
 * complaints, it writes the programs as JavaScript.
 */
export const compile = async (release: Release, paths: readonly string[]): Promise<string[]> => {
  const { folder } = await installedClient();
  const compiler = join(ROOT, "node_modules", COMPILERS[release], "bin/tsc");
  const options = "--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noEmitOnError --pretty false";
  const target = "--module nodenext --target es2022 --lib es2023,dom";
  const args = `${options} ${target}`.split(" ");
  const { stdout } = await run(process.execPath, [compiler, ...args, ...paths], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  return stdout.split("\n").filter((line) => /error TS/.test(line));
};

/** Runs a compiled program with plain Node, and returns the lines that it prints. */
export const runProgram = async (path: string): Promise<string[]> => {
  const { stdout } = await run(process.execPath, [path], { cwd: dirname(path) });
  return stdout.trimEnd().split("\n");
};

/** Holds what an operation answers. Another test checks the types. */
type Called = Promise<Answer<{ data: Record<string, unknown>; message?: string }>> &
  AsyncIterable<Record<string, unknown>>;
type Methods = Record<string, (...given: unknown[]) => Called>;

/** Makes a client with the installed package. */
export const clientOf = async (options: ClientOptions) => {
  const { folder } = await installedClient();
  const path = join(folder, "node_modules/lanyap-client/index.js");
  const { createClient } = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as {
    createClient: (options: ClientOptions) => Methods;
  };
  const methods = createClient(options);
  return (name: string, ...given: unknown[]): Called => {
    const method = methods[name];
    if (!method) throw new Error(`the client has no ${name}`);
    return method(...given);
  };
};

/** Reads a file of the installed package. */
export const packageFile = async (name: string): Promise<string> =>
  readFile(join((await installedClient()).folder, "node_modules/lanyap-client", name), "utf8");
