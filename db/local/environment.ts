import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";

/** Names the file with the settings of a local run. */
export const VARS_FILE = ".dev.vars";

type Environment = Record<string, string | undefined>;

/** Reads a file of `NAME=value` lines. A missing file counts as empty. */
export const readVars = (path: string): Record<string, string> => {
  if (!existsSync(path)) return {};
  const parsed = Object.entries(parseEnv(readFileSync(path, "utf8")));
  return Object.fromEntries(parsed.filter((entry): entry is [string, string] => entry[1] !== undefined));
};

/** Returns DATABASE_URL from the environment, or else from `.dev.vars` in `folder`. A blank value counts as none. */
export const readDatabaseUrl = (folder: string, environment: Environment): string | undefined => {
  const url = environment["DATABASE_URL"] ?? readVars(join(folder, VARS_FILE))["DATABASE_URL"];
  return url?.trim() || undefined;
};
