import type { Context } from "hono";
import { asksFor } from "./accept.ts";

/** Holds a transparent GIF of one pixel. */
export const PIXEL = Uint8Array.from(atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), (digit) =>
  digit.charCodeAt(0),
);

/**
 * Tells whether a page asks for an image: browsers say so of what an `img` element loads. They want pages as much as images
 * where a customer opens an address.
 */
export const wantsImage = (c: Context): boolean =>
  asksFor(c, "image/*", "application/json", "text/html") && !asksFor(c, "text/html", "image/*");

/** Tells whether a request is one that a page's image makes by itself, without headers of the page. */
export const isPixel = (c: Context): boolean => c.req.method === "GET" && wantsImage(c);
