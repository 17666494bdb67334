import { createMiddleware } from "hono/factory";
import { HonoBase } from "hono/hono-base";
import { TrieRouter } from "hono/router/trie-router";

/** What every handler of the one app has at hand: the generated bindings, and what middleware leaves for handlers. */
export type AppEnv = { Bindings: Env; Variables: { requestId: string } };

/** Makes apps and middleware for {@link AppEnv}. Of hono's routers, this is the one that can hold all of our paths. */
export const factory = {
  createApp: () => new HonoBase<AppEnv>({ router: new TrieRouter() }),
  createMiddleware: createMiddleware<AppEnv>,
};
