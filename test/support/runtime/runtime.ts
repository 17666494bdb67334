import { build } from "esbuild";
import { Miniflare, type MiniflareOptions } from "miniflare";

type Config = MiniflareOptions["workers"][number]["config"];

/** Names the Worker that a runtime runs. */
export const WORKER = "worker";

const EMPTY = "export default { fetch: () => new Response(null) }";

const bundle = async (entry: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
    external: ["cloudflare:workers"],
  });
  const [output] = outputFiles;
  if (!output) throw new Error(`esbuild returned no output for ${entry}`);
  return output.text;
};

/** Holds a running runtime and the bindings of its Worker, which tests can call. */
export type Runtime<Bindings> = { bindings: Bindings; runtime: Miniflare; stop: () => Promise<void> };

/**
 * Starts the Workers runtime with the bindings that a test of single modules needs, such as a real KV namespace. Tests of
 * the whole Worker use `startHarness` instead.
 *
 * @param config the Worker's bindings (`env`) and exported Durable Object classes (`exports`)
 * @param entry path of the Worker's main module; without one the Worker is empty
 */
export const startRuntime = async <Bindings>(
  config: Pick<Config, "env" | "exports">,
  entry?: string,
): Promise<Runtime<Bindings>> => {
  const contents = entry === undefined ? EMPTY : await bundle(entry);
  const manifest = { mainModule: "main.js", modules: { "main.js": { type: "esm" as const, contents } } };
  const runtime = new Miniflare({
    workers: [{ config: { name: WORKER, compatibilityDate: "2026-11-01", manifest, ...config } }],
    unsafeInspectDurableObjects: true,
  });
  return { bindings: await runtime.getBindings<Bindings>(), runtime, stop: () => runtime.dispose() };
};
