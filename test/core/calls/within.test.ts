import { describe, expect, it } from "vitest";
import { within } from "../../../functions/core/calls/within.ts";

const never = new Promise<number>(() => {});
const FAR_OFF_MS = 2 ** 30;

describe("within", () => {
  it("resolves as the promise does", async () => {
    expect(await within(Promise.resolve(7), FAR_OFF_MS)).toBe(7);
  });

  it("rejects as the promise does", async () => {
    await expect(within(Promise.reject(new Error("why")), FAR_OFF_MS)).rejects.toThrow("why");
  });

  it("resolves to null when the time is over", async () => {
    expect(await within(never, 1)).toBeNull();
  });

  it("does not mind what comes later", async () => {
    const { promise, reject } = Promise.withResolvers<number>();
    expect(await within(promise, 1)).toBeNull();
    reject(new Error("late"));
    await expect(promise).rejects.toThrow("late");
  });
});
