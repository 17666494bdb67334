import type { Context } from "hono";

/** Holds a transparent GIF of one pixel. */
export const PIXEL = Uint8Array.from(atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), (digit) =>
  digit.charCodeAt(0),
);

/** Tells whether a page asks for an image: browsers say so of what an `img` element loads. */
export const wantsImage = (c: Context): boolean => {
  const accept = c.req.header("accept") ?? "";
  return accept.includes("image/") && !accept.includes("text/html");
};

/** Tells whether a request is one that a page's image makes by itself, without headers of the page. */
export const isPixel = (c: Context): boolean => c.req.method === "GET" && wantsImage(c);
