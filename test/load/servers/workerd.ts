import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../../../functions/local/ports.ts";
import { ROOT } from "../../../functions/local/wrangler.ts";
import { bundleHelper } from "./bundle.ts";
import { makeFolder } from "./folders.ts";

const COMPATIBILITY_DATE = "2026-11-01";
const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 5_000;

/**
 * Describes a script to serve: its source, its text bindings, and the service's own bindings if it needs them.
 *
 * The stub keeps what is put into `kv` (the default) or forgets it. With `consumes` it keeps messages for {@link
 * Stub.deliver}. `heapMegabytes` limits the heap of each isolate, as the platform does. `assets` is a folder that
 * browsers load from.
 */
export type Script = {
  source: string;
  text?: Record<string, string>;
  service?: { kv?: "keep" | "forget"; consumes?: boolean; heapMegabytes?: number; assets?: string };
};

/**
 * Holds what the stub of KV and queue has counted since its last reset. `written` names the first documents. `hits`
 * counts the distinct hits since its start.
 */
export type StubCounts = {
  reads: number;
  keys: number;
  bytesRead: number;
  writes: number;
  bytesWritten: number;
  messages: number;
  written: string[];
  hits: number;
};

/** Counts delivered messages and batches. Of these, `refused` were not acknowledged. */
export type Delivered = { messages: number; batches: number; refused: number };

/** Controls the stub of KV and queue, which runs in the same process. */
export type Stub = {
  counts: () => Promise<StubCounts>;
  reset: () => Promise<void>;
  /** Hands every message kept to the Worker's consumer, and every `repeat`-th batch twice; 0 for none. */
  deliver: (size: number, concurrency: number, repeat: number) => Promise<Delivered>;
};

/** Describes a workerd that serves one script on loopback. */
export type Workerd = { url: string; pid: number; stub: Stub; stop: () => Promise<void> };

const quoted = (text: string): string => JSON.stringify(text);

const SERVICE_BINDINGS = [
  '(name = "DOCUMENTS", kvNamespace = "stub")',
  '(name = "DEAD_LETTERS", kvNamespace = "stub")',
  '(name = "EVENTS", queue = "stub")',
  '(name = "PARTNER_ZONES", queue = "stub")',
  '(name = "DOCUMENT_WRITER", durableObjectNamespace = "DocumentWriter")',
  '(name = "RATE_LIMITER", durableObjectNamespace = "RateLimiter")',
];

const OBJECTS = `
    durableObjectNamespaces = [
      (className = "DocumentWriter", uniqueKey = "writer", enableSql = true),
      (className = "RateLimiter", uniqueKey = "limiter", enableSql = true),
    ],
    durableObjectStorage = (localDisk = "objects"),`;

const assetServices = (folder: string): string => `
    (name = "files", disk = (path = ${quoted(folder)})),
    (name = "assets", worker = (
      compatibilityDate = "${COMPATIBILITY_DATE}",
      modules = [(name = "assets.js", esModule = embed "assets.js")],
      bindings = [(name = "FILES", service = "files")],
    )),`;

const config = ({ text = {}, service }: Script, port: number, stubPort: number, objects: string): string => {
  const bindings = [
    ...Object.entries(text).map(([name, value]) => `(name = ${quoted(name)}, text = ${quoted(value)})`),
    ...(service ? SERVICE_BINDINGS : []),
    ...(service?.assets ? ['(name = "ASSETS", service = "assets")'] : []),
  ];
  const stubBindings = [
    `(name = "KV", text = ${quoted(service?.kv ?? "keep")})`,
    ...(service?.consumes ? ['(name = "MAIN", service = "main")'] : []),
  ];
  return `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "stub", worker = .stub),
    (name = "internet", network = (allow = ["public", "private"])),
    (name = "objects", disk = (path = ${quoted(objects)}, writable = true)),${service?.assets ? assetServices(service.assets) : ""}
  ],
  sockets = [
    (name = "http", address = "127.0.0.1:${port}", http = (), service = "main"),
    (name = "stub", address = "127.0.0.1:${stubPort}", http = (), service = "stub"),
  ],
  v8Flags = [${service?.heapMegabytes ? quoted(`--max-old-space-size=${service.heapMegabytes}`) : ""}],
);
const stub :Workerd.Worker = (
  compatibilityDate = "${COMPATIBILITY_DATE}",
  compatibilityFlags = ["service_binding_extra_handlers"],
  modules = [(name = "stub.js", esModule = embed "stub.js")],
  bindings = [${stubBindings.join(", ")}],
);
const main :Workerd.Worker = (
  compatibilityDate = "${COMPATIBILITY_DATE}",
  modules = [(name = "main.js", esModule = embed "main.js")],
  bindings = [${bindings.join(", ")}],${service ? OBJECTS : ""}
);`;
};

/**
 * Waits until the server answers.
 *
 * @throws {Error} with what it printed when it ends before or takes too long
 */
const answers = async (url: string, child: ChildProcess, output: string[]): Promise<void> => {
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`workerd failed: ${output.join("")}`);
    try {
      await (await fetch(url, { signal: AbortSignal.timeout(START_LIMIT_MS) })).arrayBuffer();
      return;
    } catch {
      await new Promise((done) => setTimeout(done, 5));
    }
  }
};

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
  await ended;
  clearTimeout(late);
};

const stubOf = (url: string): Stub => {
  const ask = (path: string): Promise<Response> => fetch(`${url}${path}`);
  return {
    counts: async () => (await ask("/counts")).json<StubCounts>(),
    reset: async () => void (await (await ask("/reset")).arrayBuffer()),
    deliver: async (size, concurrency, repeat) =>
      (await ask(`/deliver?size=${size}&concurrency=${concurrency}&repeat=${repeat}`)).json<Delivered>(),
  };
};

/**
 * Serves a script with the same runtime that Cloudflare runs, without the development servers around it.
 *
 * @param core processor that it is pinned to
 * @throws when it does not answer within seconds
 */
export const startWorkerd = async (script: Script, core: number): Promise<Workerd> => {
  const folder = await makeFolder("workerd");
  // Durable Objects are stored on disk, as on the platform. In memory, their storage would remain long after the
  // objects are gone.
  const objects = join(folder, "objects");
  await mkdir(objects);
  const [port, stubPort] = [await freePort(), await freePort()];
  await Promise.all([
    writeFile(join(folder, "main.js"), script.source),
    writeFile(join(folder, "stub.js"), await bundleHelper("stub")),
    ...(script.service?.assets ? [writeFile(join(folder, "assets.js"), await bundleHelper("assets"))] : []),
    writeFile(join(folder, "config.capnp"), config(script, port, stubPort, objects)),
  ]);
  const binary = join(ROOT, "node_modules/workerd/bin/workerd");
  const pinned = ["taskset", "-c", String(core), binary, "serve", "--experimental", join(folder, "config.capnp")];
  // In a process group of its own it does not get the terminal's Ctrl-C, so this process stops it. It never outlives
  // this process.
  const child = spawn("setpriv", ["--pdeathsig", "KILL", ...pinned], {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      if (output.length < 100) output.push(String(chunk));
    });
  }
  const stop = async (): Promise<void> => {
    await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await answers(`${url}/health`, child, output);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, pid: child.pid ?? 0, stub: stubOf(`http://127.0.0.1:${stubPort}`), stop };
};
