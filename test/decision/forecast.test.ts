import { describe, expect, it } from "vitest";
import type { LearnedRates } from "../../db/documents/types.ts";
import {
  admits,
  admittedShare,
  candidateOf,
  forecastOf,
  seenRates,
  type Fact,
  type Planned,
  type Play,
} from "../../functions/decision/forecast.ts";
import { OPEN_OFFER } from "../support/documents/arbitrary-decisions.ts";

const planned: Planned = {
  languages: [],
  currencies: [],
  amountMin: null,
  amountMax: null,
  paymentTypes: [],
  pricing: "CPM",
  priority: 5,
  bidMicros: 10_000_000,
  valueMicros: 10_000_000,
  ecpmMicros: 10_000_000,
  advertiserSerial: 77,
  dailyCap: null,
  lifetimeCap: null,
};
const fact: Fact = {
  country: "US",
  language: "en",
  currency: "USD",
  amount: 50,
  paymentType: null,
  count: 1,
  fits: true,
};
const learned: LearnedRates = { places: [0, 0, 0, 0], strengths: [4, 20, 4, 20], rates: [[]] };

/** Makes requests that one offer answers so far, which is paid for by the impression. */
const plays = (valueMicros: number, count = 40): Play[] => {
  const rival = { ...OPEN_OFFER, pricing: "CPM" as const, valueMicros };
  return Array.from({ length: count }, () => ({ fact, candidates: { offers: [rival], learned } }));
};
const around = { requests: 10_000, rates: [0.02, 0.05], slots: [], seen: [0.5] };
const half = { admitted: 500, sampled: 1_000 };

const wide = (told: ReturnType<typeof forecastOf>) => (told?.shown.high ?? 0) - (told?.shown.low ?? 0);

describe("admits", () => {
  it.each([
    [{}, {}, true],
    [{}, { fits: false }, false],
    [{ languages: ["de"] }, {}, false],
    [{ languages: ["de", "en"] }, {}, true],
    [{ currencies: ["USD"], amountMin: 40, amountMax: 60 }, {}, true],
    [{ currencies: ["USD"], amountMin: 60 }, {}, false],
    [{ currencies: ["USD"], amountMin: 40 }, { amount: null }, false],
    [{ paymentTypes: ["PAYPAL" as const] }, {}, false],
  ])("judges %j against %j as an answer is", (targeting, more, is) => {
    expect(admits(candidateOf({ ...planned, ...targeting }), { ...fact, ...more })).toBe(is);
  });
});

describe("admittedShare", () => {
  it.each([
    [0, 10, 0, 0.278],
    [5, 10, 0.237, 0.763],
    [10, 10, 0.722, 1],
    [1_000, 2_000, 0.478, 0.522],
  ])("of %i of %i lies between", (admitted, sampled, low, high) => {
    const share = admittedShare(admitted, sampled);
    expect(share?.expected).toBe(admitted / sampled);
    expect(share?.low).toBeCloseTo(low, 3);
    expect(share?.high).toBeCloseTo(high, 3);
  });

  it("is unknown without a sample", () => {
    expect(admittedShare(0, 0)).toBeNull();
  });
});

describe("seenRates", () => {
  it("counts only answers that have so many offers", () => {
    expect(seenRates(100, [90, 20], [1, 1, 1, 2])).toEqual([0.9, 0.8]);
    expect(seenRates(0, [1], [1])).toEqual([0]);
    expect(seenRates(100, [250], [1])).toEqual([1]);
  });
});

describe("forecastOf", () => {
  it("shows what outbids all others wherever it is seen, and costs what that costs", () => {
    const told = forecastOf(planned, half, plays(1_000_000), around);
    // Of 10,000 requests it is for half, and half of the answers are seen.
    expect(told?.shown.expected).toBeGreaterThan(2_400);
    expect(told?.shown.expected).toBeLessThan(2_600);
    expect(told?.cost.expected).toBeCloseTo((told?.shown.expected ?? 0) * 10_000, 3);
    expect(told?.shown.low).toBeLessThan(2_450);
    expect(told?.shown.high).toBeGreaterThan(2_550);
  });

  it("shows nothing of what others outbid, or come before", () => {
    const nothing = { expected: 0, low: 0, high: 0 };
    expect(forecastOf(planned, half, plays(90_000_000), around)).toEqual({ shown: nothing, cost: nothing });
    const late = { ...planned, priority: 9 };
    expect(forecastOf(late, half, plays(1_000_000), around)).toEqual({ shown: nothing, cost: nothing });
  });

  it("is the same when asked for again, and wider for fewer samples and unknown rates", () => {
    const known = forecastOf(planned, half, plays(1_000_000), around);
    expect(forecastOf(planned, half, plays(1_000_000), around)).toEqual(known);
    const few = forecastOf(planned, { admitted: 5, sampled: 10 }, plays(1_000_000, 5), around);
    expect(wide(few)).toBeGreaterThan(3 * wide(known));
    const clicks = { ...planned, pricing: "CPC" as const, bidMicros: 500_000, valueMicros: 500_000 };
    expect(wide(forecastOf(clicks, half, plays(9_000_000), around))).toBeGreaterThan(3 * wide(known));
  });

  it("bills no more than caps allow in a week", () => {
    const daily = forecastOf({ ...planned, dailyCap: 100 }, half, plays(1_000_000), around);
    expect(daily).toEqual({
      shown: { expected: 700, low: 700, high: 700 },
      cost: { expected: 7_000_000, low: 7_000_000, high: 7_000_000 },
    });
    const clicks = { ...planned, pricing: "CPC" as const, bidMicros: 5e9, valueMicros: 5e9, lifetimeCap: 3 };
    const ever = forecastOf(clicks, half, plays(1_000_000), around);
    expect(ever?.cost.high).toBe(15e9);
    expect(ever?.shown.expected).toBeLessThan(2_000);
  });

  it("tells nothing of four requests", () => {
    expect(forecastOf(planned, half, plays(1, 4), around)).toBeNull();
  });
});
