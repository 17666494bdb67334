import { createMiddleware } from "hono/factory";
import type { Actor } from "../../../db/accounts/actor.ts";
import { requireReach } from "../../../db/accounts/reach.ts";
import type { Db } from "../../../db/core/client.ts";
import type { AppEnv } from "../factory.ts";
import { pathId } from "../input/ids.ts";

/**
 * Admits callers that may touch the publisher that the path names by `:id`, and leaves its id as `publisherId`. Comes
 * behind what checks the rest of a request, because a bad request is told so before anything is looked up.
 */
export const reachPublisher = createMiddleware<AppEnv & { Variables: { actor: Actor; db: Db; publisherId: string } }>(
  async (c, next) => {
    const id = pathId("Publisher", c.req.param("id") ?? "");
    await requireReach(c.var.db, c.var.actor, id);
    c.set("publisherId", id);
    await next();
  },
);
