import { describe, expect, it } from "vitest";
import { slotEffect } from "../../../functions/decision/learning/fold.ts";

/**
 * Returns the effect of a place that is clicked half as often as the first, after `times` times twenty expected clicks.
 */
const halfAfter = (times: number): number =>
  slotEffect(
    [
      { count: 20 * times, exposure: 20 * times },
      { count: 10 * times, exposure: 20 * times },
    ],
    1,
  );

describe("slotEffect", () => {
  it("is 1 for the first place, and where nothing is known", () => {
    expect(slotEffect([], 3)).toBe(1);
    expect(slotEffect([{ count: 20, exposure: 20 }], 1)).toBe(1);
    expect(slotEffect([{ count: 20, exposure: 900 }], 0)).toBe(1);
  });

  it("does not hold against a place what stood there", () => {
    // Offers of half the rate are clicked half as often in the second place, as expected.
    const slots = [
      { count: 2_000, exposure: 2_000 },
      { count: 1_000, exposure: 1_000 },
    ];
    expect(slotEffect(slots, 1)).toBeCloseTo(1, 6);
  });

  it("is drawn towards 1, the less so the more is seen", () => {
    expect(halfAfter(1)).toBeGreaterThan(0.7);
    expect(halfAfter(1)).toBeLessThan(1);
    expect(halfAfter(10)).toBeLessThan(halfAfter(1));
    expect(halfAfter(1_000)).toBeCloseTo(0.5, 2);
  });
});
