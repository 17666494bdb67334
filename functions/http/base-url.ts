import type { Context } from "hono";
import { settingsOf } from "../env.ts";
import type { AppEnv } from "./factory.ts";

/**
 * Returns the origin of a request's URL. The URL is absolute and in normal form, so the origin ends at the third slash.
 */
const originOf = (url: string): string => url.slice(0, url.indexOf("/", url.indexOf("//") + 2));

/**
 * Returns the address under which customers reach the service, without a slash at its end.
 *
 * @param url the request's URL, if it was read already: reading it is a call into the runtime
 */
export const baseUrl = (c: Context<AppEnv>, url?: string): string =>
  settingsOf(c.env).PUBLIC_URL || originOf(url ?? c.req.url);
