import { join } from "node:path";
import { ROUTINE_NAMES } from "../../db/documents/routine-names.ts";
import { bringRoutines } from "../../db/local/prepare.ts";
import { LAST_MIGRATION } from "../../db/publishing/last-migration.ts";
import { writeBuilt } from "./built-file.ts";
import { ROOT } from "./wrangler.ts";

const write = (name: string, exported: object): void => {
  const lines = Object.entries(exported).map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};\n`);
  writeBuilt(join(ROOT, `dist/${name}.js`), lines.join(""));
};

/**
 * Writes what the Worker's bundle imports in place of longer modules, as `#routine-names`, `#last-migration` and
 * `#constraints` (package.json). It also adds the routines themselves to the database of `npm start`, which after a
 * change in `db/` has only the old ones.
 */
export const writeNeeded = async (): Promise<void> => {
  write("routine-names", { ROUTINE_NAMES });
  write("last-migration", { LAST_MIGRATION });
  writeBuilt(join(ROOT, "dist/constraints.js"), "export function constraints() {}\n");
  const database = process.env["LANYAP_DATABASE"];
  if (database) await bringRoutines(database);
};
