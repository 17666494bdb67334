import type { Context } from "hono";
import type { AppEnv } from "./factory.ts";

/** A request's URL is absolute and in normal form, so its origin ends at the third slash. */
const originOf = (url: string): string => url.slice(0, url.indexOf("/", url.indexOf("//") + 2));

const withoutSlash = (url: string): string => (url.endsWith("/") ? url.replace(/\/+$/, "") : url);

/** The address under which customers reach the service, without a slash at its end. */
export const baseUrl = (c: Context<AppEnv>): string =>
  c.env.PUBLIC_URL ? withoutSlash(c.env.PUBLIC_URL) : originOf(c.req.url);
