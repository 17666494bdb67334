import { resolve } from "node:path";
import { Hono } from "hono";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { AppEnv } from "../../../../functions/http/factory.ts";
import { takeCall, type Allowance } from "../../../../functions/http/credentials/rate-limit.ts";
import type { ClockedLimiter } from "../../../support/runtime/clocked-limiter.ts";
import { startRuntime, WORKER, type Runtime } from "../../../support/runtime/runtime.ts";

const WINDOW_MS = 60_000;

/** Lies ahead, so that the runtime itself rings no alarm while a test runs. */
const START = Date.now() + 60 * WINDOW_MS;

let runtime: Runtime<{ LIMITER: DurableObjectNamespace<ClockedLimiter> }>;

beforeAll(async () => {
  const config = {
    env: { LIMITER: { type: "durable-object" as const, worker: WORKER, exportName: "ClockedLimiter" } },
    exports: { ClockedLimiter: { type: "durable-object" as const, storage: "sqlite" as const } },
  };
  runtime = await startRuntime(config, resolve(import.meta.dirname, "../../../support/runtime/clocked-limiter.ts"));
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => runtime.stop());

/** Makes a limiter of its own, at the time {@link START}. */
const makeLimiter = async () => {
  const limiter = runtime.bindings.LIMITER.getByName(crypto.randomUUID());
  await limiter.setClock(START);
  return limiter;
};

/** Takes `count` times at once. Calls may overtake one another, so what each of them got is in no order. */
const take = (limiter: { take: (limit: number) => Promise<Allowance> }, count: number, limit = 50) =>
  Promise.all(Array.from({ length: count }, () => limiter.take(limit)));

describe("RateLimiter", () => {
  it("ends a window a minute after its first call, to the millisecond", async () => {
    const limiter = await makeLimiter();
    const full = { allowed: false, remaining: 0, resetAt: START + WINDOW_MS };
    expect(await limiter.take(50)).toEqual({ allowed: true, remaining: 49, resetAt: START + WINDOW_MS });
    await limiter.setClock(START + 30_000);
    expect((await take(limiter, 50)).filter(({ allowed }) => !allowed)).toEqual([full]);
    await limiter.setClock(START + WINDOW_MS - 1);
    expect(await limiter.take(50)).toEqual(full);
    await limiter.setClock(START + WINDOW_MS);
    expect(await limiter.take(50)).toEqual({ allowed: true, remaining: 49, resetAt: START + 2 * WINDOW_MS });
  });

  it("starts the next window with the next call, however late", async () => {
    const limiter = await makeLimiter();
    await take(limiter, 51);
    await limiter.setClock(START + 10 * WINDOW_MS + 7);
    expect(await limiter.take(50)).toEqual({ allowed: true, remaining: 49, resetAt: START + 11 * WINDOW_MS + 7 });
  });

  it("counts on when the limit changes", async () => {
    const limiter = await makeLimiter();
    await take(limiter, 50);
    expect(await limiter.take(150)).toMatchObject({ allowed: true, remaining: 99 });
    expect(await limiter.take(50)).toMatchObject({ allowed: false, remaining: 0 });
    expect(await limiter.take(150)).toMatchObject({ allowed: true, remaining: 98 });
  });

  it("leaves nothing stored when the window has ended", async () => {
    const limiter = await makeLimiter();
    await take(limiter, 3);
    expect(await limiter.stored()).toEqual({ entries: 1, alarm: START + WINDOW_MS });
    await limiter.setClock(START + WINDOW_MS);
    await limiter.ring();
    expect(await limiter.stored()).toEqual({ entries: 0, alarm: null });
  });

  it.each([
    ["that rings early", START + WINDOW_MS, -1],
    ["that rings when a late call has begun the next", START + 2 * WINDOW_MS + 1, 1],
  ])("keeps a window at an alarm %s, and ends it later", async (_, end, offset) => {
    const limiter = await makeLimiter();
    await limiter.take(50);
    await limiter.setClock(START + WINDOW_MS + offset);
    expect((await limiter.take(50)).resetAt).toBe(end);
    await limiter.ring();
    expect(await limiter.stored()).toEqual({ entries: 1, alarm: end });
    await limiter.setClock(end);
    await limiter.ring();
    expect(await limiter.stored()).toEqual({ entries: 0, alarm: null });
  });
});

describe("a call that is counted", () => {
  const app = new Hono<AppEnv>().patch("/", async (c) => {
    await takeCall(c, { window: "pub_1", limit: 50 });
    return c.text("passed");
  });

  it.each([
    ["fails", { getByName: () => ({ take: () => Promise.reject(new Error("overloaded")) }) }],
    [
      "is not to be had",
      Object.create(null, {
        getByName: {
          value: () => {
            throw new Error("overloaded");
          },
        },
      }) as object,
    ],
  ])("passes with a warning when the object %s", async (_, limiter) => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const response = await app.request("/", { method: "PATCH" }, { RATE_LIMITER: limiter });
    expect([response.status, await response.text()]).toEqual([200, "passed"]);
    expect(response.headers.get("x-ratelimit-limit")).toBeNull();
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("overloaded"));
  });
});
