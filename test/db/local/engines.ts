import type { Engine } from "../../../db/local/engine.ts";
import { openPglite } from "../../../db/local/pglite.ts";
import { openPostgres } from "../../../db/local/postgres.ts";
import { startEmbeddedPostgres } from "./embedded.ts";

/** An engine to test, and how to end it with all that stands behind it. */
export interface EngineUnderTest {
  engine: Engine;
  stop(): Promise<void>;
}

/** Both engines by name, each with a database of its own. */
export const engines: Record<string, () => Promise<EngineUnderTest>> = {
  PGlite: async () => {
    const engine = await openPglite();
    return { engine, stop: () => engine.close() };
  },
  Postgres: async () => {
    const server = await startEmbeddedPostgres();
    const engine = await openPostgres(server.url);
    const stop = async () => {
      await engine.close();
      await server.stop();
    };
    return { engine, stop };
  },
};
