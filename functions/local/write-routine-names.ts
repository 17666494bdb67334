import { join } from "node:path";
import { ROUTINE_NAMES } from "../../db/documents/routine-names.ts";
import { bringRoutines } from "../../db/local/prepare.ts";
import { writeBuilt } from "./built-file.ts";
import { ROOT } from "./wrangler.ts";

// Wrangler runs this before it bundles the Worker, which finds what is written here by the name `#routine-names` (package.json).
writeBuilt(join(ROOT, "dist/routine-names.js"), `export const ROUTINE_NAMES = ${JSON.stringify(ROUTINE_NAMES)};\n`);

// `npm start` says which database its Worker has, which after a change in `db/` calls routines that are not there yet.
const database = process.env["LANYAP_DATABASE"];
if (database) await bringRoutines(database);
