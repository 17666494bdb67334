import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { remembering } from "../../../functions/core/calls/remember.ts";

/** A function that notes what it was asked to make. */
const noting = (limit: number) => {
  const made: string[] = [];
  const lengthOf = remembering(limit, (text) => {
    made.push(text);
    return text.length;
  });
  return { made, lengthOf };
};

describe("a function that remembers", () => {
  it("makes what it is asked for once", () => {
    const { made, lengthOf } = noting(2);
    expect(["one", "three", "one", "three"].map(lengthOf)).toEqual([3, 5, 3, 5]);
    expect(made).toEqual(["one", "three"]);
  });

  it("remembers what is falsy, too", () => {
    let calls = 0;
    const no = remembering(1, () => {
      calls += 1;
      return false;
    });
    expect([no("a"), no("a"), calls]).toEqual([false, false, 1]);
  });

  it("starts again when it is full", () => {
    const { made, lengthOf } = noting(2);
    for (const text of ["a", "b", "c", "c", "a"]) lengthOf(text);
    expect(made).toEqual(["a", "b", "c", "a"]);
  });

  it("does not remember long texts, but makes what is asked for", () => {
    const { made, lengthOf } = noting(2);
    const long = "x".repeat(101);
    expect([lengthOf(long), lengthOf(long)]).toEqual([101, 101]);
    expect(made).toHaveLength(2);
  });

  it("returns what its maker returns, whatever it is asked for, and remembers no more than its limit", () => {
    const texts = fc.array(fc.oneof(fc.constantFrom("", "a", "b", "c", "__proto__", "x".repeat(101)), fc.string()));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), texts, (limit, asked) => {
        const { made, lengthOf } = noting(limit);
        expect(asked.map(lengthOf)).toEqual(asked.map((text) => text.length));
        expect(made.length).toBeLessThanOrEqual(asked.length);
      }),
    );
  });

  it("remembers nothing of what throws", () => {
    let calls = 0;
    const failing = remembering(2, () => {
      calls += 1;
      throw new Error("no");
    });
    expect(() => failing("a")).toThrow("no");
    expect(() => failing("a")).toThrow("no");
    expect(calls).toBe(2);
  });
});
