import type { Context } from "hono";
import { idSuffix, newId } from "../../db/core/ids.ts";
import { factory, type AppEnv } from "./factory.ts";
import { requireSettings } from "./safe-settings.ts";

export const REQUEST_ID = "x-request-id";

/** Gives a request the id by which its answer and the log name it: the caller's own if one was sent. */
export const identify = (c: Context<AppEnv>): string => {
  const sent = c.req.header(REQUEST_ID);
  const isNamed = sent !== undefined && /^[\w=-]{1,255}$/.test(sent);
  const id = isNamed ? sent : newId("request");
  c.set("requestId", id);
  c.set("newSuffix", isNamed ? null : idSuffix(id));
  return id;
};

/** Puts the request's id on every answer, errors included. */
export const requestId = factory.createMiddleware((c, next) => {
  c.header(REQUEST_ID, identify(c));
  return next();
});

/** Keeps every answer, errors included, out of all caches, and keeps browsers from guessing another type. */
export const noStore = factory.createMiddleware((c, next) => {
  c.header("Cache-Control", "no-store");
  c.header("X-Content-Type-Options", "nosniff");
  return next();
});

/**
 * Refuses every request while a setting is wrong or unsafe: endpoints that would work without it would only hide the
 * mistake.
 */
export const withSettings = factory.createMiddleware((c, next) => {
  requireSettings(c);
  return next();
});
