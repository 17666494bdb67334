import type { Context } from "hono";
import type { HonoBase } from "hono/hono-base";
import type { AppEnv } from "./factory.ts";
import { ApiError } from "./errors.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Lists the methods that an app answers at a path, including HEAD and OPTIONS, which follow from the others. */
const allowedMethods = (app: HonoBase<AppEnv>, path: string): string[] => {
  const own = METHODS.filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method !== "ALL" && route.method === method),
  );
  return own.includes("GET") ? [...own, "HEAD", "OPTIONS"] : own.length > 0 ? [...own, "OPTIONS"] : [];
};

/**
 * Answers what no route answers: 404 for an unknown path, 405 for a wrong method at a known one, 204 for its OPTIONS.
 */
export const notFound =
  (app: HonoBase<AppEnv>) =>
  (c: Context<AppEnv>): Response => {
    const allowed = allowedMethods(app, c.req.path).join(", ");
    if (allowed === "") throw new ApiError("NOT_FOUND", "There is nothing at this path");
    const headers = { Allow: allowed };
    if (c.req.method === "OPTIONS") return c.body(null, 204, headers);
    throw new ApiError("METHOD_NOT_ALLOWED", `This path answers ${allowed}`, { headers });
  };
