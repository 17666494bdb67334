import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RateSums } from "../../../db/learning/sums.ts";
import { evidenceOf, faded, NO_SUMS, weightOf } from "../../../functions/decision/learning/sums.ts";

const DAY = 20_454;
const FADING = { halfLife: 60, origin: DAY };

describe("weightOf", () => {
  it("doubles in each half-life", () => {
    expect(weightOf(DAY, FADING)).toBe(1);
    expect(weightOf(DAY + 120, FADING)).toBe(4);
    expect(weightOf(DAY - 60, FADING)).toBe(0.5);
  });

  it("leaves of what happened before what its age says, on whichever day it is read", () => {
    fc.assert(
      fc.property(fc.nat(4_000), fc.nat(400), fc.integer({ min: 7, max: 365 }), (day, age, halfLife) => {
        const stored: RateSums = { ...NO_SUMS, clicks: 10 * weightOf(DAY + day, { halfLife, origin: DAY }) };
        const left = faded(stored, weightOf(DAY + day + age, { halfLife, origin: DAY })).clicks;
        expect(left / (10 * 2 ** (-age / halfLife))).toBeCloseTo(1, 9);
      }),
    );
  });
});

it("evidence of a stage is clicks by impressions, then conversions by clicks", () => {
  const sums: RateSums = { clicks: 5, exposure: 100, conversions: 2, clicked: 4 };
  expect(evidenceOf(sums, 0)).toEqual({ count: 5, exposure: 100 });
  expect(evidenceOf(sums, 1)).toEqual({ count: 2, exposure: 4 });
});
