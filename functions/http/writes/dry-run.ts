import { createMiddleware } from "hono/factory";
import * as z from "zod";
import type { Writing } from "../../../db/core/writing/writing.ts";
import type { AppEnv } from "../factory.ts";
import { flagParameter } from "../input/fields.ts";
import { query } from "../input/validate.ts";

/** Makes the parameter that asks for a change to be tried: `dryRun`. */
export const dryRun = () => ({ dryRun: flagParameter() });

/**
 * Undoes a change with `dryRun=true` at its end, and says so in the answer's header. It comes after what checks the
 * parameter. The answer has no tag, because no resource ever has that version.
 */
export const dry = createMiddleware<AppEnv & { Variables: { writing: Writing } }>(async (c, next) => {
  if (c.req.query("dryRun") !== "true") return next();
  c.var.writing.isDry = true;
  c.header("Lanyap-Dry-Run", "true");
  await next();
  if (c.res.ok) c.res.headers.delete("ETag");
});

/** Allows dry runs of a change that takes no other parameters. */
export const dryRunnable = [query(() => z.object(dryRun())), dry] as const;
