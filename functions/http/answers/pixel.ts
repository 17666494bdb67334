import type { Context } from "hono";
import { asksFor } from "./accept.ts";

/** Holds a transparent GIF of one pixel. */
export const PIXEL = Uint8Array.from(atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), (digit) =>
  digit.charCodeAt(0),
);

/**
 * Tells whether a page asks for an image: browsers say so for what an `img` element loads. When a customer opens an
 * address, they weigh pages no less than images.
 */
export const wantsImage = (c: Context): boolean =>
  asksFor(c, "image/*", "application/json", "text/html") && !asksFor(c, "text/html", "image/*");

/** Tells whether a request is one that an image on a page makes by itself, without headers set by the page. */
export const isPixel = (c: Context): boolean => c.req.method === "GET" && wantsImage(c);
