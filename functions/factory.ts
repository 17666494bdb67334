import { createFactory } from "hono/factory";

/** What every handler of the one app has at hand: the generated bindings, and what middleware leaves for handlers. */
export type AppEnv = { Bindings: Env; Variables: { requestId: string } };

export const factory = createFactory<AppEnv>();
