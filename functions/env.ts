import * as z from "zod";
import { parseKeyRing } from "../db/core/secrets/secrets.ts";
import { CLICK_DAYS, CLICK_WAIT_DAYS } from "../db/tracking/click-days.ts";
import { once } from "./core/calls/once.ts";
import { trimEnd } from "./core/trim-end.ts";

const given = () => z.string("is missing").refine((value) => value.trim() !== "", { error: "is empty", abort: true });

const parseRing = (value: string, context: z.RefinementCtx<string>) => {
  try {
    return parseKeyRing(value);
  } catch (error) {
    context.addIssue({ code: "custom", message: `is malformed: ${error instanceof Error ? error.message : ""}` });
    return z.NEVER;
  }
};

const isPostgresUrl = (value: string): boolean =>
  /^postgres(?:ql)?:\/\//.test(value) && URL.canParse(value) && new URL(value).pathname.length > 1;

const isWebUrl = (value: string): boolean => /^https?:\/\//.test(value) && URL.canParse(value);

const webUrlOrNone = () =>
  z.string("is missing").refine((value) => value === "" || isWebUrl(value), "must be an http or https URL, or empty");

/** Reads how many days something is kept. */
const days = (usual: number, least = 1) =>
  z
    .string()
    .regex(/^\d{1,5}$/, { error: "must be a whole number of days", abort: true })
    .transform(Number)
    .refine((value) => value >= least, `must be at least ${least} days`)
    .default(usual);

const schema = once(() =>
  z.object({
    DATABASE_URL: given().refine(isPostgresUrl, "must have the form postgres://user:password@host/database"),
    ADMIN_TOKEN: given(),
    TOKEN_ENCRYPTION_KEY: given().superRefine((value, context) => void parseRing(value, context)),
    TRACKING_KEYS: given().transform(parseRing),
    SESSION_KEY: given(),
    // This key hashes nothing any more; it only finds customers that it hashed.
    SESSION_KEY_BEFORE: z.string().default(""),
    PUBLIC_URL: webUrlOrNone()
      .regex(/^[^?#]*$/, "must not contain ? or #")
      .transform((value) => trimEnd(value, "/")),
    PARTNER_ZONE_URL: webUrlOrNone(),
    DOCUMENT_FRESH_MS: z
      .string("is missing")
      .regex(/^\d{1,9}$/, "must be a whole number of milliseconds, such as 5000")
      .transform(Number),
    WRITES_PER_MINUTE: z
      .string("is missing")
      .regex(/^[1-9]\d{0,8}$/, "must be a whole number of calls, such as 600")
      .transform(Number),
    // An impression may be reported until its token is a day old, and a late hit is compared with those of a day
    // before.
    KEEP_IMPRESSIONS_DAYS: days(7, 2),
    KEEP_CLICKS_DAYS: days(2 * CLICK_DAYS, CLICK_DAYS + CLICK_WAIT_DAYS),
    KEEP_CONVERSIONS_DAYS: days(400, CLICK_DAYS + CLICK_WAIT_DAYS),
    KEEP_REJECTS_DAYS: days(30),
    KEEP_FLUSHES_DAYS: days(2),
    KEEP_AUDIT_DAYS: days(400),
    // A day's weight has to stay a number for years.
    HALF_LIFE_DAYS: days(60, 7),
  }),
);

/** Says what is wrong with a setting, never its value. */
export type SettingProblem = { name: string; problem: string };

/**
 * Holds the Worker's settings under their names. `TRACKING_KEYS` are parsed; `PUBLIC_URL` has no slash at its end, and
 * is empty when the request's own origin is used. `unsafe` lists secrets that may be used on loopback only. Settings
 * that count days have defaults; `SESSION_KEY_BEFORE` is empty when there was no previous key.
 */
export type Settings = z.output<ReturnType<typeof schema>> & { unsafe: readonly SettingProblem[] };

/** Says which settings are wrong, and what to do. The message never holds a value. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly code = "INVALID_SETTINGS";

  constructor(problems: readonly SettingProblem[]) {
    super(`${problems.map(({ name, problem }) => `${name} ${problem}`).join("; ")}. Set it right and deploy again.`);
  }
}

/** Lists the settings that are wrong, with one problem each. */
export const settingProblems = (values: object): SettingProblem[] => {
  const issues = schema().safeParse(values).error?.issues ?? [];
  const problems = new Map(issues.toReversed().map(({ path, message }) => [String(path[0]), message]));
  return [...problems].map(([name, problem]) => ({ name, problem })).toReversed();
};

/** Begins every secret of `.dev.vars.example`, which the whole world can read. */
const EXAMPLE = "lanyap-dev";

/** Sets the least length of a secret, in characters: that of 16 random bytes in hex. */
const MIN_SECRET = 32;

const weakness = (secret: string): string | null =>
  secret.startsWith(EXAMPLE)
    ? "has the value of the example"
    : secret.length < MIN_SECRET
      ? `has a secret of less than ${MIN_SECRET} characters`
      : null;

/** Lists the secrets that anybody can know or guess. Each key of a ring counts: every one of them verifies. */
const unsafeSecrets = (settings: z.output<ReturnType<typeof schema>>): SettingProblem[] => {
  const secrets = {
    ADMIN_TOKEN: [settings.ADMIN_TOKEN],
    TOKEN_ENCRYPTION_KEY: parseKeyRing(settings.TOKEN_ENCRYPTION_KEY).map(({ secret }) => secret),
    TRACKING_KEYS: settings.TRACKING_KEYS.map(({ secret }) => secret),
    SESSION_KEY: [settings.SESSION_KEY],
  };
  return Object.entries(secrets).flatMap(([name, values]) => {
    const problem = values.map(weakness).find((found) => found !== null);
    return problem === undefined ? [] : [{ name, problem }];
  });
};

const known = new WeakMap<Env, Settings>();

const parse = (env: Env): Settings => {
  const parsed = schema().safeParse(env);
  if (!parsed.success) throw new SettingsError(settingProblems(env));
  const settings = { ...parsed.data, unsafe: unsafeSecrets(parsed.data) };
  known.set(env, settings);
  return settings;
};

/**
 * Returns the settings of an environment, which is parsed and judged once.
 *
 * @throws {SettingsError} when one is wrong
 */
export const settingsOf = (env: Env): Settings => known.get(env) ?? parse(env);
