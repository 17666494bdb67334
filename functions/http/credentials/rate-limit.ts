import { DurableObject } from "cloudflare:workers";
import { createMiddleware } from "hono/factory";
import type { PublisherActor } from "../../../db/accounts/actor.ts";
import type { AppEnv } from "../factory.ts";
import { describeError } from "../../core/log.ts";
import { ApiError } from "../errors.ts";

const WINDOW_MS = 60_000;
const LIMIT = 50;
const ELEVATED_LIMIT = 150;

type Window = { endsAt: number; used: number };

/** Tells a call if it was admitted, how many more the window admits, and when it ends, in milliseconds since 1970. */
export type Allowance = { allowed: boolean; remaining: number; resetAt: number };

/**
 * Counts the calls of one publisher in a window that starts with its first call. The window is kept in storage, because an
 * idle object loses its memory within seconds.
 */
export class RateLimiter extends DurableObject<Env> {
  /** Takes one call out of the window if one is left. */
  take(limit: number): Allowance {
    const now = Date.now();
    const stored = this.ctx.storage.kv.get<Window>("window");
    const window = stored && now < stored.endsAt ? stored : { endsAt: now + WINDOW_MS, used: 0 };
    const allowed = window.used < limit;
    if (allowed) window.used += 1;
    this.ctx.storage.kv.put("window", window);
    if (window !== stored) this.ctx.waitUntil(this.ctx.storage.setAlarm(window.endsAt));
    return { allowed, remaining: Math.max(0, limit - window.used), resetAt: window.endsAt };
  }

  /** Removes what is stored for a publisher that calls no more. A clock that is ahead may ring early. */
  override async alarm(): Promise<void> {
    const { storage } = this.ctx;
    const window = storage.kv.get<Window>("window");
    await (window && Date.now() < window.endsAt ? storage.setAlarm(window.endsAt) : storage.deleteAll());
  }
}

/**
 * Admits a publisher to the routes that share its window: 50 calls a minute by all its tokens, 150 for the elevated tier.
 * Tokens have no window of their own, because a publisher issues them itself.
 */
export const rateLimit = createMiddleware<AppEnv & { Variables: { actor: PublisherActor } }>(async (c, next) => {
  const { publisherId, elevated } = c.var.actor;
  const limit = elevated ? ELEVATED_LIMIT : LIMIT;
  let allowance: Allowance;
  try {
    allowance = await c.env.RATE_LIMITER.getByName(publisherId).take(limit);
  } catch (error) {
    console.warn(`a call passes uncounted: ${describeError(error)}`);
    return next();
  }
  c.header("X-RateLimit-Limit", String(limit));
  c.header("X-RateLimit-Remaining", String(allowance.remaining));
  c.header("X-RateLimit-Reset", new Date(allowance.resetAt).toISOString());
  if (!allowance.allowed) {
    const retryAfter = Math.max(1, Math.ceil((allowance.resetAt - Date.now()) / 1000));
    throw new ApiError("RATE_LIMIT_EXCEEDED", `Too many calls; try again in ${retryAfter} s`, {
      details: { retryAfter },
      headers: { "Retry-After": String(retryAfter) },
    });
  }
  return next();
});
