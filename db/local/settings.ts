import { constants, copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { isKey, parseKeyRing } from "../secrets.ts";
import { Problem } from "./problem.ts";

const FILE = ".dev.vars";
const EXAMPLE = ".dev.vars.example";
const REQUIRED = ["ADMIN_TOKEN", "TOKEN_ENCRYPTION_KEY", "TRACKING_KEYS", "SESSION_KEY"];
const DEFAULT_PORT = "8787";

type Environment = Record<string, string | undefined>;

/** What a local run is told from outside. */
export interface Settings {
  /** Where the Worker listens. */
  port: number;
  /** Absent for the embedded Postgres. */
  databaseUrl: string | undefined;
  /** All of `.dev.vars`: the Worker's secrets, and any variable of wrangler.toml it sets anew. */
  vars: Record<string, string>;
}

/**
 * Reads the settings of a local run from `.dev.vars` in `folder`, made from its example when it is not there.
 * DATABASE_URL and PORT of the environment win.
 * @throws Problem naming what is missing or wrong, and the file
 */
export function readSettings(folder: string, environment: Environment): Settings {
  const path = join(folder, FILE);
  if (!existsSync(path)) copyExample(folder, path);
  const vars = readVars(path);
  const missing = REQUIRED.find((name) => !vars[name]?.trim());
  if (missing !== undefined) {
    throw new Problem(`${missing} is missing in ${FILE}; ${EXAMPLE} has a value for development.`);
  }
  checkForms(vars);
  return {
    port: readPort(environment["PORT"] || vars["PORT"] || DEFAULT_PORT),
    databaseUrl: readDatabaseUrl(folder, environment),
    vars,
  };
}

/** The DATABASE_URL of the environment or else of `.dev.vars`; blank counts as none. */
export function readDatabaseUrl(folder: string, environment: Environment): string | undefined {
  const url = environment["DATABASE_URL"] ?? readVars(join(folder, FILE))["DATABASE_URL"];
  return url?.trim() || undefined;
}

function readVars(path: string): Record<string, string> {
  if (!existsSync(path)) return {};
  const parsed = Object.entries(parseEnv(readFileSync(path, "utf8")));
  return Object.fromEntries(parsed.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function checkForms(vars: Record<string, string>): void {
  for (const name of ["TOKEN_ENCRYPTION_KEY", "TRACKING_KEYS"]) {
    try {
      parseKeyRing(vars[name] ?? "");
    } catch (error) {
      throw new Problem(`${name} in ${FILE} is malformed: ${error instanceof Error ? error.message : ""}.`);
    }
  }
  const platformToken = vars["PLATFORM_TOKEN"];
  if (platformToken && !isKey("platform", platformToken)) {
    throw new Problem(`PLATFORM_TOKEN in ${FILE} must be a platform token (lan_plat_…) or empty.`);
  }
}

function copyExample(folder: string, path: string): void {
  const example = join(folder, EXAMPLE);
  if (!existsSync(example)) throw new Problem(`neither ${FILE} nor ${EXAMPLE} is in ${folder}.`);
  copyFileSync(example, path, constants.COPYFILE_EXCL);
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65535) throw new Problem(`PORT must be a number from 1 to 65535, not ${text}.`);
  return port;
}
