import { cors } from "hono/cors";
import { factory } from "../factory.ts";

/** Methods and request headers that pages may use, all if none are named, and response headers that they may read. */
type Opening = { methods: string[]; allowed?: string[]; exposed: string[] };

/**
 * Opens endpoints to the pages of every shop, and keeps their answers, errors included, out of all caches. Only a
 * preflight needs the library: for all other requests two constant headers do, without a second Response.
 */
export const openToPages = ({ methods, allowed = [], exposed }: Opening) => {
  const preflight = cors({
    origin: "*",
    allowMethods: methods,
    allowHeaders: allowed,
    exposeHeaders: exposed,
    maxAge: 7200,
  });
  const exposedNames = exposed.join(",");
  return factory.createMiddleware((c, next) => {
    if (c.req.method === "OPTIONS") return preflight(c, next);
    c.header("Access-Control-Allow-Origin", "*");
    c.header("Access-Control-Expose-Headers", exposedNames);
    c.header("Cache-Control", "no-store");
    return next();
  });
};
