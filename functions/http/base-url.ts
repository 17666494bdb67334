import type { Context } from "hono";
import { settingsOf } from "../env.ts";
import type { AppEnv } from "./factory.ts";

/** Cuts a request's URL behind its origin: it is absolute and in normal form, so the origin ends at the third slash. */
const originOf = (url: string): string => url.slice(0, url.indexOf("/", url.indexOf("//") + 2));

/**
 * Returns the address under which customers reach the service, without a slash at its end.
 *
 * @param url the request's, for whoever has read it already: reading it is a call into the runtime
 */
export const baseUrl = (c: Context<AppEnv>, url?: string): string =>
  settingsOf(c.env).PUBLIC_URL || originOf(url ?? c.req.url);
