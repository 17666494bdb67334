import type { Context } from "hono";

/** Tells whether a browser fetches a page or image that nobody has asked for yet. */
export const isPrefetch = (c: Context): boolean =>
  ["sec-purpose", "purpose", "x-purpose", "x-moz"].some((name) =>
    /prefetch|preview|prerender/i.test(c.req.header(name) ?? ""),
  );
