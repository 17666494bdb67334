import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "../../db/local/ports.ts";

const root = resolve(import.meta.dirname, "../..");
const COMPATIBILITY_DATE = "2026-11-01";

/** A script to serve: its source, its text bindings, and whether it needs the service's own bindings. */
export type Script = { source: string; text?: Record<string, string>; service?: boolean };

/** A workerd that serves one script on loopback. */
export type Workerd = { url: string; pid: number; stop: () => Promise<void> };

/** Stands for KV and the queue: keeps documents in memory, swallows messages, and counts what it is asked. */
const STUB = `
const values = new Map();
const counts = { reads: 0, writes: 0, messages: 0 };
export default {
  async fetch(request) {
    const url = new URL(request.url);
    const key = decodeURIComponent(url.pathname.slice(1));
    if (url.hostname === "counts") return Response.json(counts);
    if (request.method === "PUT") { counts.writes++; values.set(key, await request.text()); return new Response(null); }
    if (request.method === "POST" && url.pathname === "/bulk/get") {
      counts.reads++;
      const { keys } = await request.json();
      return Response.json(Object.fromEntries(keys.map((name) => [name, values.get(name) ?? null])));
    }
    if (request.method === "POST") { counts.messages++; await request.arrayBuffer(); return Response.json({ metadata: { metrics: {} } }); }
    return values.has(key) ? new Response(values.get(key)) : new Response(null, { status: 404 });
  }
};`;

const quoted = (text: string): string => JSON.stringify(text);

const bindings = ({ text = {}, service = false }: Script): string =>
  [
    ...Object.entries(text).map(([name, value]) => `(name = ${quoted(name)}, text = ${quoted(value)})`),
    ...(service
      ? [
          '(name = "DOCUMENTS", kvNamespace = "stub")',
          '(name = "DEAD_LETTERS", kvNamespace = "stub")',
          '(name = "EVENTS", queue = "stub")',
          '(name = "PARTNER_ZONES", queue = "stub")',
          '(name = "DOCUMENT_WRITER", durableObjectNamespace = "DocumentWriter")',
          '(name = "RATE_LIMITER", durableObjectNamespace = "RateLimiter")',
        ]
      : []),
  ].join(", ");

const OBJECTS = `
    durableObjectNamespaces = [
      (className = "DocumentWriter", uniqueKey = "writer", enableSql = true),
      (className = "RateLimiter", uniqueKey = "limiter", enableSql = true),
    ],
    durableObjectStorage = (inMemory = void),`;

const config = (script: Script, port: number): string => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "stub", worker = (compatibilityDate = "${COMPATIBILITY_DATE}", modules = [(name = "stub.js", esModule = embed "stub.js")])),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const main :Workerd.Worker = (
  compatibilityDate = "${COMPATIBILITY_DATE}",
  modules = [(name = "main.js", esModule = embed "main.js")],
  bindings = [${bindings(script)}],${script.service ? OBJECTS : ""}
);`;

/** Waits until the server answers; fails with what it printed when it ends before. */
const answers = async (url: string, child: ChildProcess, output: string[]): Promise<void> => {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`workerd ended: ${output.join("")}`);
    try {
      await (await fetch(url)).arrayBuffer();
      return;
    } catch {
      await new Promise((done) => setTimeout(done, 50));
    }
  }
};

/**
 * Serves a script with the same runtime that Cloudflare runs, without the development servers around it.
 *
 * @param core processor that it is pinned to
 */
export const startWorkerd = async (script: Script, core: number): Promise<Workerd> => {
  const folder = await mkdtemp(join(tmpdir(), "lanyap-workerd-"));
  const port = await freePort();
  await Promise.all([
    writeFile(join(folder, "main.js"), script.source),
    writeFile(join(folder, "stub.js"), STUB),
    writeFile(join(folder, "config.capnp"), config(script, port)),
  ]);
  const binary = join(root, "node_modules/workerd/bin/workerd");
  const child = spawn("taskset", ["-c", String(core), binary, "serve", "--experimental", join(folder, "config.capnp")], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(String(chunk)));
  const url = `http://127.0.0.1:${port}`;
  await answers(url, child, output);
  return {
    url,
    pid: child.pid ?? 0,
    stop: async () => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
};
