import { constants, copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { isKey, parseKeyRing } from "../../db/core/secrets.ts";
import { readDatabaseUrl, readVars, VARS_FILE } from "../../db/local/environment.ts";
import { Problem } from "../../db/local/problem.ts";

const EXAMPLE = ".dev.vars.example";
const REQUIRED = ["ADMIN_TOKEN", "TOKEN_ENCRYPTION_KEY", "TRACKING_KEYS", "SESSION_KEY"];
const DEFAULT_PORT = "8787";

type Environment = Record<string, string | undefined>;

/** What a local run is told from outside. */
export type Settings = {
  /** Where the Worker listens. */
  port: number;
  /** Absent for the embedded Postgres. */
  databaseUrl: string | undefined;
  /** All of `.dev.vars`: the Worker's secrets, and any variable of wrangler.toml it sets anew. */
  vars: Record<string, string>;
};

/**
 * Reads the settings of a local run from `.dev.vars` in `folder`, made from its example when it is not there.
 * DATABASE_URL and PORT of the environment win.
 * @throws Problem naming what is missing or wrong, and the file
 */
export const readSettings = (folder: string, environment: Environment): Settings => {
  const path = join(folder, VARS_FILE);
  if (!existsSync(path)) copyExample(folder, path);
  const vars = readVars(path);
  const missing = REQUIRED.find((name) => !vars[name]?.trim());
  if (missing !== undefined) {
    throw new Problem(`${missing} is missing in ${VARS_FILE}; ${EXAMPLE} has a value for development.`);
  }
  checkForms(vars);
  return {
    port: readPort(environment["PORT"] || vars["PORT"] || DEFAULT_PORT),
    databaseUrl: readDatabaseUrl(folder, environment),
    vars,
  };
};

const checkForms = (vars: Record<string, string>): void => {
  for (const name of ["TOKEN_ENCRYPTION_KEY", "TRACKING_KEYS"]) {
    try {
      parseKeyRing(vars[name] ?? "");
    } catch (error) {
      throw new Problem(`${name} in ${VARS_FILE} is malformed: ${error instanceof Error ? error.message : ""}.`);
    }
  }
  const platformToken = vars["PLATFORM_TOKEN"];
  if (platformToken && !isKey("platform", platformToken)) {
    throw new Problem(`PLATFORM_TOKEN in ${VARS_FILE} must be a platform token (lan_plat_…) or empty.`);
  }
};

const copyExample = (folder: string, path: string): void => {
  const example = join(folder, EXAMPLE);
  if (!existsSync(example)) throw new Problem(`neither ${VARS_FILE} nor ${EXAMPLE} is in ${folder}.`);
  copyFileSync(example, path, constants.COPYFILE_EXCL);
};

const readPort = (text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65535) throw new Problem(`PORT must be a number from 1 to 65535, not ${text}.`);
  return port;
};
