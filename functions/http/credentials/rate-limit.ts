import { DurableObject } from "cloudflare:workers";
import type { Context } from "hono";
import { idOfActor, type Actor, type PublisherActor } from "../../../db/accounts/actor.ts";
import type { Settings } from "../../env.ts";
import type { AppEnv } from "../factory.ts";
import { within } from "../../core/calls/within.ts";
import { describeError } from "../../core/log.ts";
import { memberOf } from "../../core/objects.ts";
import { ApiError } from "../errors.ts";

const WINDOW_MS = 60_000;
const LIMIT = 50;
const ELEVATED_LIMIT = 150;

/** Limits how long a call waits to be counted, in milliseconds. */
const LIMIT_MS = 3_000;

type Window = { endsAt: number; used: number };

/** Says whether a call was admitted, how many more the window admits, and when it ends, in milliseconds since 1970. */
export type Allowance = { allowed: boolean; remaining: number; resetAt: number };

/**
 * Counts the calls that share a window, which starts with the first of them. The window is kept in storage, because an
 * idle object loses its memory within seconds.
 */
export class RateLimiter extends DurableObject<Env> {
  /** Takes one call from the window if one is left. */
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

  /** Removes what is stored once nobody calls any more. A clock that is ahead may ring early. */
  override async alarm(): Promise<void> {
    const { storage } = this.ctx;
    const window = storage.kv.get<Window>("window");
    await (window && Date.now() < window.endsAt ? storage.setAlarm(window.endsAt) : storage.deleteAll());
  }
}

/** Names a window that calls share, and says how many a minute it admits. */
export type Budget = { window: string; limit: number };

/**
 * Returns the window of a publisher's site switches: 50 calls a minute for all its tokens together, 150 with elevated
 * limits. Tokens have no windows of their own, because a publisher issues them itself.
 */
export const siteSwitches = ({ publisherId, elevated }: PublisherActor): Budget => ({
  window: publisherId,
  limit: elevated ? ELEVATED_LIMIT : LIMIT,
});

/**
 * Returns the window of all other writes of a publisher, a platform or the administrator, for all their tokens
 * together.
 */
export const otherWrites = (actor: Actor, { WRITES_PER_MINUTE }: Pick<Settings, "WRITES_PER_MINUTE">): Budget => ({
  window: `writes:${idOfActor(actor) ?? "admin"}`,
  limit: WRITES_PER_MINUTE,
});

const ask = async (env: Env, { window, limit }: Budget): Promise<Allowance | null> => {
  try {
    const allowance = await within<Allowance>(env.RATE_LIMITER.getByName(window).take(limit), LIMIT_MS);
    if (!allowance) throw new Error("no answer in time");
    return allowance;
  } catch (error) {
    // The platform says so of an object that is called more often than any limit admits.
    if (memberOf(error, "overloaded") === true)
      return { allowed: false, remaining: 0, resetAt: Date.now() + WINDOW_MS };
    console.warn(`a call was let through uncounted: ${describeError(error)}`);
    return null;
  }
};

/**
 * Takes a call from a window, and says in the answer's headers what is left. A call that cannot be counted passes,
 * unless so many come that they cannot be counted any more.
 *
 * @throws {ApiError} 429 when nothing is left
 */
export const takeCall = async (c: Pick<Context<AppEnv>, "env" | "header">, budget: Budget): Promise<void> => {
  const allowance = await ask(c.env, budget);
  if (!allowance) return;
  c.header("X-RateLimit-Limit", String(budget.limit));
  c.header("X-RateLimit-Remaining", String(allowance.remaining));
  c.header("X-RateLimit-Reset", new Date(allowance.resetAt).toISOString());
  if (allowance.allowed) return;
  const retryAfter = Math.max(1, Math.ceil((allowance.resetAt - Date.now()) / 1000));
  throw new ApiError("RATE_LIMIT_EXCEEDED", `Too many calls; try again in ${retryAfter} s`, {
    details: { retryAfter },
    headers: { "Retry-After": String(retryAfter) },
  });
};
