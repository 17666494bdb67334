import { describe, expect, it } from "vitest";
import { arrivedByAge, DELAY_DAYS, maturityOf } from "../../../functions/decision/learning/delays.ts";

describe("arrivedByAge", () => {
  it("rises to all of them, with or without delays that were seen", () => {
    for (const delays of [[], [5, 3, 1], [0, 0, 900]]) {
      const arrived = arrivedByAge(delays);
      expect(arrived).toHaveLength(DELAY_DAYS + 1);
      expect(arrived.every((share, age) => share > 0 && share >= (arrived[age - 1] ?? 0))).toBe(true);
      expect(arrived.at(-1)).toBeCloseTo(1, 12);
    }
  });

  it("is what was seen, where much was", () => {
    const arrived = arrivedByAge([5_000, 3_000, 2_000]);
    expect(arrived[0]).toBeCloseTo(0.5, 2);
    expect(arrived[1]).toBeCloseTo(0.8, 2);
    expect(arrived[2]).toBeCloseTo(1, 2);
  });
});

describe("maturityOf", () => {
  const arrived = [0.5, 0.8, 1];

  it("is the share of conversions that have come, by the ages of their clicks", () => {
    expect(maturityOf([{ age: 0, clicks: 10 }], arrived)).toBe(0.5);
    expect(
      maturityOf(
        [
          { age: 0, clicks: 30 },
          { age: 1, clicks: 10 },
        ],
        arrived,
      ),
    ).toBeCloseTo((15 + 8) / 40, 12);
    expect(maturityOf([{ age: 90, clicks: 3 }], arrived)).toBe(1);
  });

  it("is 1 where there are no clicks", () => {
    expect(maturityOf([], arrived)).toBe(1);
  });
});
