import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { Problem } from "./problem.ts";

/**
 * Says why the data could not be opened, and what to do. It never advises to delete the data, which may be intact.
 *
 * @param parts what Postgres writes in `dataDir` when it starts
 */
export const openingProblem = (dataDir: string, parts: readonly string[], error: unknown): Problem => {
  const { code = "", message = "" } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  const failed = `the embedded Postgres cannot open ${dataDir}`;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new Problem(
      `${failed}: there is no space left. Nothing is wrong with data that are there; make room first.`,
    );
  }
  if (code === "EROFS")
    return new Problem(`${failed}: its disk can only be read. Make it writable, or start elsewhere.`);
  if (/^E(?:ACCES|PERM)$/.test(code) || !isWritable(dataDir, parts)) {
    return new Problem(
      `${failed}: it belongs to another user, or may not be written. Start as that user, or give the folder and all in it to yours.`,
    );
  }
  const cause = message || "it is not the data of this Postgres";
  return new Problem(`${failed}: ${cause}. Nothing was deleted. Move that folder away to start afresh.`);
};

/**
 * Tells whether this user may write all that Postgres opens at its start. PGlite gives no error code for a file that it
 * may not write.
 */
const isWritable = (dataDir: string, parts: readonly string[]): boolean =>
  [dataDir, ...parts.map((part) => join(dataDir, part))].filter(existsSync).every((path) => {
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
      return true;
    } catch {
      return false;
    }
  });
