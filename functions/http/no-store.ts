import { factory } from "./factory.ts";

/** Keeps every answer, errors included, out of all caches. */
export const noStore = factory.createMiddleware(async (c, next) => {
  c.header("Cache-Control", "no-store");
  await next();
});
