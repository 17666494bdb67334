import { createMiddleware } from "hono/factory";
import { HonoBase } from "hono/hono-base";
import { RememberingRouter } from "./router.ts";

/**
 * Describes what every handler of the one app has at hand: the bindings, and what middleware leaves for handlers.
 * `requestId` names the request in its answer and the log; `newSuffix` is the part of an id that was made for this request
 * alone, null where the caller named it.
 */
export type AppEnv = { Bindings: Env; Variables: { requestId: string; newSuffix: string | null } };

/** Makes apps and middleware for {@link AppEnv}. */
export const factory = {
  createApp: () => new HonoBase<AppEnv>({ router: new RememberingRouter() }),
  createMiddleware: createMiddleware<AppEnv>,
};
