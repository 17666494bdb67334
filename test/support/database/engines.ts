import type { Engine } from "../../../db/local/engine.ts";
import { openPglite } from "../../../db/local/pglite.ts";
import { openPostgres } from "../../../db/local/postgres.ts";
import { makeDatabase } from "./database.ts";

/** Opens both engines by name, each with a database of its own. */
export const engines: Record<string, () => Promise<Engine>> = {
  PGlite: () => openPglite(),
  Postgres: async () => openPostgres(await makeDatabase()),
};
