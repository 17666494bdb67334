import type { Context } from "hono";
import { isLoopback } from "../../db/core/loopback.ts";
import { settingsOf, type SettingProblem } from "../env.ts";
import { ApiError } from "./errors.ts";
import type { AppEnv } from "./factory.ts";

const NONE: readonly SettingProblem[] = [];

/** Lists the settings that are unsafe at the host of a request: none on loopback, which nobody else can reach. */
export const unsafeHere = (c: Context<AppEnv>): readonly SettingProblem[] => {
  const { unsafe } = settingsOf(c.env);
  return unsafe.length === 0 || isLoopback(new URL(c.req.url).hostname) ? NONE : unsafe;
};

/**
 * Lets a request pass if the settings may be used at its host.
 *
 * @throws {SettingsError} when one is wrong
 * @throws {ApiError} when one is unsafe, with its name and never its value
 */
export const requireSettings = (c: Context<AppEnv>): void => {
  const unsafe = unsafeHere(c);
  if (unsafe.length === 0) return;
  const problems = unsafe.map(({ name, problem }) => `${name} ${problem}`).join("; ");
  throw new ApiError("SERVICE_UNAVAILABLE", `This service is not set up safely: ${problems}. Set new values`);
};
