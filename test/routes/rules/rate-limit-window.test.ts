import { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PublisherActor } from "../../../db/accounts/actor.ts";
import type { AppEnv } from "../../../functions/http/factory.ts";
import { rateLimit, RateLimiter, type Allowance } from "../../../functions/http/credentials/rate-limit.ts";

const START = Date.parse("2026-11-21T12:00:00.000Z");
const WINDOW_MS = 60_000;

/** A limiter over a storage in memory; `ring` is what the runtime does at the time of the alarm. */
const makeLimiter = () => {
  const stored = new Map<string, unknown>();
  const set = { alarm: 0 };
  const storage = {
    kv: {
      get: (key: string) => structuredClone(stored.get(key)),
      put: (key: string, value: unknown) => void stored.set(key, structuredClone(value)),
    },
    setAlarm: async (time: number) => void (set.alarm = time),
    deleteAll: async () => stored.clear(),
  };
  const context = { storage, waitUntil: (promise: Promise<unknown>) => promise };
  const limiter: RateLimiter = Reflect.construct(RateLimiter, [context, {}]);
  const ring = async () => {
    set.alarm = 0;
    await limiter.alarm();
  };
  return { limiter, stored, set, ring };
};

const take = (limiter: RateLimiter, count: number, limit = 50): Allowance[] =>
  Array.from({ length: count }, () => limiter.take(limit));

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("RateLimiter", () => {
  it("ends a window a minute after its first call, to the millisecond", () => {
    const { limiter } = makeLimiter();
    const full = { allowed: false, remaining: 0, resetAt: START + WINDOW_MS };
    expect(limiter.take(50)).toEqual({ allowed: true, remaining: 49, resetAt: START + WINDOW_MS });
    vi.setSystemTime(START + 30_000);
    expect(take(limiter, 50).at(-1)).toEqual(full);
    vi.setSystemTime(START + WINDOW_MS - 1);
    expect(limiter.take(50)).toEqual(full);
    vi.setSystemTime(START + WINDOW_MS);
    expect(limiter.take(50)).toEqual({ allowed: true, remaining: 49, resetAt: START + 2 * WINDOW_MS });
  });

  it("starts the next window with the next call, however late", () => {
    const { limiter } = makeLimiter();
    take(limiter, 51);
    vi.setSystemTime(START + 10 * WINDOW_MS + 7);
    expect(limiter.take(50)).toEqual({ allowed: true, remaining: 49, resetAt: START + 11 * WINDOW_MS + 7 });
  });

  it("counts on when the limit changes", () => {
    const { limiter } = makeLimiter();
    take(limiter, 50);
    expect(limiter.take(150)).toMatchObject({ allowed: true, remaining: 99 });
    expect(limiter.take(50)).toMatchObject({ allowed: false, remaining: 0 });
    expect(limiter.take(150)).toMatchObject({ allowed: true, remaining: 98 });
  });

  it("leaves nothing stored when the window has ended", async () => {
    const { limiter, stored, set, ring } = makeLimiter();
    take(limiter, 3);
    expect([stored.size, set.alarm]).toEqual([1, START + WINDOW_MS]);
    vi.setSystemTime(START + WINDOW_MS);
    await ring();
    expect([stored.size, set.alarm]).toEqual([0, 0]);
  });

  it.each([
    ["that rings early", START + WINDOW_MS, -1],
    ["that rings when a late call has begun the next", START + 2 * WINDOW_MS + 1, 1],
  ])("keeps a window at an alarm %s, and ends it later", async (_, end, offset) => {
    const { limiter, stored, set, ring } = makeLimiter();
    limiter.take(50);
    vi.setSystemTime(START + WINDOW_MS + offset);
    expect(limiter.take(50).resetAt).toBe(end);
    await ring();
    expect([stored.size, set.alarm]).toEqual([1, end]);
    vi.setSystemTime(end);
    await ring();
    expect([stored.size, set.alarm]).toEqual([0, 0]);
  });
});

describe("rateLimit", () => {
  const actor = { kind: "publisher", publisherId: "pub_1", tokenId: "tok_1", elevated: false } as PublisherActor;
  const app = new Hono<AppEnv & { Variables: { actor: PublisherActor } }>()
    .use((c, next) => {
      c.set("actor", actor);
      return next();
    })
    .patch("/", rateLimit, (c) => c.text("passed"));

  it("lets a call pass with a warning when the object fails", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const limiter = { take: () => Promise.reject(new Error("overloaded")) };
    const response = await app.request("/", { method: "PATCH" }, { RATE_LIMITER: { getByName: () => limiter } });
    expect([response.status, await response.text()]).toEqual([200, "passed"]);
    expect(response.headers.get("x-ratelimit-limit")).toBeNull();
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("overloaded"));
  });
});
