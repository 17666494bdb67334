import { expect, it } from "vitest";
import { takeCall } from "../../../functions/http/credentials/rate-limit.ts";

/** Takes a call from a limiter that answers so, and returns the headers that were set. */
const headersBy = async (take: () => Promise<unknown>): Promise<string[]> => {
  const headers: string[] = [];
  const env = { RATE_LIMITER: { getByName: () => ({ take }) } } as unknown as Env;
  const header = ((name: string) => void headers.push(name)) as Parameters<typeof takeCall>[0]["header"];
  await takeCall({ env, header }, { window: "pub_1", limit: 50 });
  return headers;
};

const overloaded = () => Promise.reject(Object.assign(new Error("too many calls"), { overloaded: true }));

it.each([
  ["that fails", () => Promise.reject(new Error("out of order"))],
  ["that never answers", () => new Promise(() => undefined)],
])("a limiter %s lets a call pass, and tells nothing of a limit", async (_, take) => {
  expect(await headersBy(take)).toEqual([]);
});

it("a limiter that cannot count as many calls as come refuses them", async () => {
  await expect(headersBy(overloaded)).rejects.toMatchObject({
    code: "RATE_LIMIT_EXCEEDED",
    options: { details: { retryAfter: 60 } },
  });
});

it("a limiter that answers tells of its limit", async () => {
  const headers = await headersBy(async () => ({ allowed: true, remaining: 49, resetAt: Date.now() }));
  expect(headers).toEqual(["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]);
});
