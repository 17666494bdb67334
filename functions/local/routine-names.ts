import { join } from "node:path";
import { ROUTINE_NAMES } from "../../db/documents/routine-names.ts";
import { bringRoutines } from "../../db/local/prepare.ts";
import { writeBuilt } from "./built-file.ts";
import { ROOT } from "./wrangler.ts";

/**
 * Writes what the Worker's bundle finds by the name `#routine-names` (package.json), and brings the routines themselves to
 * the database of `npm start`, which after a change in `db/` has only those of before.
 */
export const writeRoutineNames = async (): Promise<void> => {
  writeBuilt(join(ROOT, "dist/routine-names.js"), `export const ROUTINE_NAMES = ${JSON.stringify(ROUTINE_NAMES)};\n`);
  const database = process.env["LANYAP_DATABASE"];
  if (database) await bringRoutines(database);
};
