import { resolve } from "node:path";
import { build, type Metafile } from "esbuild";
import { describe, expect, it, vi } from "vitest";

const { built } = vi.hoisted(() => ({ built: [] as string[] }));

vi.mock("cloudflare:workers", () => ({ DurableObject: Object }));
vi.mock("zod", async (original) => {
  const zod = await original<Record<string, unknown>>();
  const noting = Object.entries(zod).map(([name, make]) => [
    name,
    typeof make === "function" && /^[a-z]/.test(name)
      ? (...args: unknown[]): unknown => {
          built.push(name);
          return Reflect.apply(make, undefined, args);
        }
      : make,
  ]);
  return Object.fromEntries(noting);
});

const ROOT = resolve(import.meta.dirname, "..");
const ENTRY = "functions/index.ts";

/** The Worker in as many files as its dynamic imports ask for, so that each file tells what is loaded with it. */
const bundle = async (): Promise<Metafile["outputs"]> => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [ENTRY],
    bundle: true,
    splitting: true,
    format: "esm",
    outdir: "never-written",
    write: false,
    metafile: true,
    external: ["cloudflare:workers"],
  });
  return metafile.outputs;
};

/** The modules that an output brings with it by its static imports. */
const loaded = (outputs: Metafile["outputs"], path: string, seen = new Set<string>()): string[] => {
  const output = outputs[path];
  if (!output || seen.has(path)) return [];
  seen.add(path);
  const imports = output.imports.filter((one) => one.kind === "import-statement");
  return [...Object.keys(output.inputs), ...imports.flatMap((one) => loaded(outputs, one.path, seen))];
};

const isDriver = (module: string): boolean => module.includes("@neondatabase/serverless");

describe("the Worker's start", () => {
  it("loads no database driver", async () => {
    const outputs = await bundle();
    const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === ENTRY) ?? "";
    expect(loaded(outputs, entry)).toContain("functions/routes/public/odata.ts");
    expect(loaded(outputs, entry).filter(isDriver)).toEqual([]);
    expect(
      Object.keys(outputs)
        .flatMap((path) => loaded(outputs, path))
        .some(isDriver),
    ).toBe(true);
  });

  it("builds no schema", async () => {
    const z = await import("zod");
    z.string();
    expect(built.splice(0)).toEqual(["string"]);
    await import("../functions/index.ts");
    expect(built).toEqual([]);
  });
});
