import { describe, expect, it, vi } from "vitest";
import { once } from "../../../functions/core/calls/once.ts";

describe("once", () => {
  it.each([{ a: 1 }, null, undefined, 0])("makes %j at the first call, and never again", (value) => {
    const make = vi.fn(() => value);
    const get = once(make);
    expect(make).not.toHaveBeenCalled();
    expect([get(), get(), get()]).toEqual([value, value, value]);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it("tries again after a failure", () => {
    const make = vi
      .fn(() => 1)
      .mockImplementationOnce(() => {
        throw new Error("not now");
      });
    const get = once(make);
    expect(get).toThrow("not now");
    expect(get()).toBe(1);
  });
});
