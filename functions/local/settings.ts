import { constants, copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { isKey } from "../../db/core/secrets/secrets.ts";
import { readDatabaseUrl, readVars, VARS_FILE } from "../../db/local/environment.ts";
import { Problem } from "../../db/local/problem.ts";
import { settingProblems } from "../env.ts";

const EXAMPLE = ".dev.vars.example";
const REQUIRED = ["ADMIN_TOKEN", "TOKEN_ENCRYPTION_KEY", "TRACKING_KEYS", "SESSION_KEY"];
const DEFAULT_PORT = "8787";

type Environment = Record<string, string | undefined>;

/** Holds the settings of a local run. */
export type Settings = {
  /** Names the port that the Worker listens on. */
  port: number;
  /** Holds the database's connection string; undefined for the embedded Postgres. */
  databaseUrl: string | undefined;
  /** Holds all of `.dev.vars`: the Worker's secrets, and new values for variables of wrangler.toml. */
  vars: Record<string, string>;
};

/**
 * Reads the settings of a local run from `.dev.vars` in `folder`. A missing file is copied from its example first.
 * DATABASE_URL and PORT of the environment take precedence.
 *
 * @throws {Problem} that names the file and the setting that is missing or wrong
 */
export const readSettings = (folder: string, environment: Environment): Settings => {
  const path = join(folder, VARS_FILE);
  if (!existsSync(path)) copyExample(folder, path);
  const vars = readVars(path);
  checkQuotes(vars);
  checkSecrets(vars);
  return {
    port: readPort(environment["PORT"] || vars["PORT"] || DEFAULT_PORT),
    databaseUrl: readDatabaseUrl(folder, environment),
    vars,
  };
};

/**
 * Reads the arguments of `npm start` after `--`.
 *
 * @returns whether a database on another machine is to get the demo network
 * @throws {Problem} that names an unknown argument
 */
export const readArguments = (given: readonly string[]): { demo: boolean } => {
  const unknown = given.find((argument) => argument !== "--demo");
  if (unknown !== undefined) throw new Problem(`${unknown} is not known; npm start takes --demo only.`);
  return { demo: given.length > 0 };
};

/**
 * Refuses a quote that is left open: it would stay in its value, or the value would swallow the next settings up to
 * another quote.
 */
const checkQuotes = (vars: Record<string, string>): void => {
  const open = Object.entries(vars).find(
    ([, value]) => /^(["'`])(?!.*\1)/s.test(value) || /\n\s*(?:export\s+)?[A-Z][A-Z0-9_]*=/.test(value),
  );
  if (open) throw new Problem(`${open[0]} in ${VARS_FILE} has no closing quote; put one at the end of its line.`);
};

/** Checks the Worker's settings. Those that are missing here and not required are in wrangler.toml. */
const checkSecrets = (vars: Record<string, string>): void => {
  const missing = REQUIRED.find((name) => !vars[name]?.trim());
  if (missing !== undefined) {
    throw new Problem(`${missing} is missing in ${VARS_FILE}; copy the development value from ${EXAMPLE}.`);
  }
  const wrong = settingProblems(vars).find(({ name }) => name !== "DATABASE_URL" && vars[name] !== undefined);
  if (wrong) throw new Problem(`${wrong.name} in ${VARS_FILE} ${wrong.problem}.`);
  const platformToken = vars["PLATFORM_TOKEN"];
  if (platformToken && !isKey("platform", platformToken)) {
    throw new Problem(`PLATFORM_TOKEN in ${VARS_FILE} must be a platform token (lan_plat_…) or empty.`);
  }
};

const copyExample = (folder: string, path: string): void => {
  const example = join(folder, EXAMPLE);
  if (!existsSync(example))
    throw new Problem(`${folder} has neither ${VARS_FILE} nor ${EXAMPLE}; restore one of them.`);
  copyFileSync(example, path, constants.COPYFILE_EXCL);
};

const readPort = (text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65535) throw new Problem(`PORT must be a number from 1 to 65535, not ${text}.`);
  return port;
};
