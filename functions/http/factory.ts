import { createMiddleware } from "hono/factory";
import { HonoBase } from "hono/hono-base";
import { RememberingRouter } from "./router.ts";

/** Describes what every handler of the one app has at hand: the bindings, and what middleware leaves for handlers. */
export type AppEnv = { Bindings: Env; Variables: { requestId: string } };

/** Makes apps and middleware for {@link AppEnv}. */
export const factory = {
  createApp: () => new HonoBase<AppEnv>({ router: new RememberingRouter() }),
  createMiddleware: createMiddleware<AppEnv>,
};
