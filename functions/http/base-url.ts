import type { Context } from "hono";
import type { AppEnv } from "../factory.ts";

/** The address under which customers reach the service, without a slash at its end. */
export const baseUrl = (c: Context<AppEnv>): string =>
  c.env.PUBLIC_URL ? c.env.PUBLIC_URL.replace(/\/+$/, "") : new URL(c.req.url).origin;
