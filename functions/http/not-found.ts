import type { Context, Hono } from "hono";
import type { AppEnv } from "../factory.ts";
import { ApiError } from "./errors.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** The methods that an app answers at a path, with what follows from them. */
const allowedMethods = (app: Hono<AppEnv>, path: string): string[] => {
  const own = METHODS.filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method !== "ALL" && route.method === method),
  );
  return own.includes("GET") ? [...own, "HEAD", "OPTIONS"] : own.length > 0 ? [...own, "OPTIONS"] : [];
};

/** The app's last handler: 405 for a known path with a wrong method, 404 for an unknown path. */
export const notFound =
  (app: Hono<AppEnv>) =>
  (c: Context<AppEnv>): never => {
    const allowed = allowedMethods(app, c.req.path);
    if (allowed.length === 0) throw new ApiError("NOT_FOUND", "There is nothing at this path");
    throw new ApiError("METHOD_NOT_ALLOWED", `This path answers ${allowed.join(", ")}`, {
      headers: { Allow: allowed.join(", ") },
    });
  };
