import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Candidate, LearnedRates } from "../../../db/documents/types.ts";
import { boundOf, hopeOf, paidRate, termsOf, worthOf } from "../../../functions/decision/learning/score.ts";
import { hopefulOf, newcomersOf } from "../../../functions/decision/standing/newcomers.ts";
import { OPEN_OFFER } from "../../support/documents/arbitrary-decisions.ts";

const learnedOf = (...rates: number[][]): LearnedRates => ({
  places: [0, 0, 0, 0],
  strengths: [10, 20, 10, 20],
  rates,
});
const offer = (overrides: Partial<Candidate>): Candidate => ({ ...OPEN_OFFER, ...overrides });
const cpc = offer({ pricing: "CPC", valueMicros: 500_000, ecpmMicros: 9_000 });

describe("what an impression is worth", () => {
  it("is certain where every one is paid for", () => {
    expect(worthOf(offer({ pricing: "CPM", valueMicros: 8_000_000 }), 0, learnedOf([]))).toEqual({
      expected: 8_000,
      shape: Infinity,
    });
  });

  it("is the price of a click times how often one comes", () => {
    const worth = worthOf(cpc, 0, learnedOf([0.02, 3_000, 100_000, 3_000, 100_000]));
    expect(worth.expected).toBeCloseTo(15_000, -2);
    expect(worth.shape).toBeGreaterThan(3_000);
  });

  it("takes both stages of what is paid by the conversion", () => {
    const rates = [0.02, 3_000, 100_000, 3_000, 100_000, 0.05, 150, 3_000, 150, 3_000];
    const worth = worthOf(offer({ pricing: "CPA", valueMicros: 10_000_000 }), 0, learnedOf(rates));
    expect(worth.expected).toBeCloseTo(15_000, -3);
    expect(worth.shape).toBeLessThan(160);
  });

  it.each([
    ["CPC", [0.02, 30, 1_000, 0, 0]],
    ["CPA", [0.02, 30, 1_000, 0, 0, 0.05, 3, 30, 0, 0]],
  ] as const)("of an offer paid by %s is as much more as it is clicked more around", (pricing, rates) => {
    const told = (...more: number[]) => worthOf(offer({ pricing }), 0, learnedOf([...rates, ...more]));
    const { expected, shape } = told();
    expect(told(1)).toEqual({ expected, shape });
    expect(told(1.5).expected).toBeCloseTo(1.5 * expected, 6);
    expect(told(1.5).shape).toBe(shape);
  });

  it("is the guess of the price where nothing is told", () => {
    expect(worthOf(cpc, 0, undefined).expected).toBe(9);
    expect(paidRate(0, undefined)).toBeNull();
    expect(paidRate(1, learnedOf([0.02, 0, 0, 0, 0]))).toBeNull();
  });
});

describe("the terms of a score", () => {
  it("order by what is expected, and stray the less the more is known", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 1e9, noNaN: true }),
        fc.double({ min: 1, max: 1e6, noNaN: true }),
        (expected, shape) => {
          const terms = termsOf({ expected, shape });
          expect(termsOf({ expected: expected * 1.01, shape }).center).toBeGreaterThan(terms.center);
          expect(termsOf({ expected, shape: shape * 2 }).spread).toBeLessThan(terms.spread);
          expect(terms.spread).toBeGreaterThan(0);
        },
      ),
    );
  });
});

/** Returns the share of a gamma variable of a whole shape and mean 1 below a value. */
const gammaBelow = (value: number, shape: number): number => {
  let term = 1;
  let sum = 1;
  for (let i = 1; i < shape; i++) {
    term *= (value * shape) / i;
    sum += term;
  }
  return 1 - Math.exp(-value * shape) * sum;
};

describe("boundOf", () => {
  it.each([
    [5, 1, 0.8413],
    [5, -1, 0.1587],
    [20, 2, 0.9772],
    [20, 0, 0.5],
    [100, 1, 0.8413],
  ])("has the right part of the belief below it: shape %d, z %d", (shape, z, part) => {
    expect(gammaBelow(boundOf({ expected: 1, shape }, z), shape)).toBeCloseTo(part, 2);
  });

  it("is what is expected where nothing is uncertain, and never below nothing", () => {
    expect(boundOf({ expected: 7, shape: Infinity }, 3)).toBe(7);
    expect(boundOf({ expected: 7, shape: 0.5 }, -9)).toBe(0);
  });
});

describe("what a newcomer may be worth", () => {
  it("is without limit at first, and falls while nobody clicks", () => {
    const hope = (count: number, exposure: number) => hopeOf(cpc, 0, learnedOf([0.02, count, exposure, 0, 0]));
    for (const exposure of [0, 19]) expect(hope(0, exposure)).toBe(Infinity);
    expect(hopeOf(cpc, 0, undefined)).toBe(Infinity);
    expect(hope(0, 20)).toBeLessThan(Infinity);
    expect(hope(0, 100)).toBeGreaterThan(hope(0, 200));
    // Nobody clicked in a thousand impressions: the rate is hardly above five in a thousand.
    expect(hope(0, 1_000) / 500_000).toBeCloseTo(0.0052, 3);
  });

  it("is on the scale of what others are worth in the place", () => {
    const rates = [0.02, 2, 100, 0, 0];
    const hopeWhere = (places: number[]) => hopeOf(cpc, 0, { ...learnedOf(rates), places });
    expect(hopeWhere([980, 480, 0, 0]) / hopeWhere([0, 0, 0, 0])).toBeCloseTo(2, 9);
    const cpa = offer({ ...cpc, pricing: "CPA" });
    const both = { ...learnedOf([...rates, 0.05, 1, 10, 0, 0]), places: [980, 480, 480, 980] };
    expect(hopeOf(cpa, 0, both)).toBeCloseTo(hopeOf(cpa, 0, { ...both, places: [0, 0, 0, 0] }), 6);
  });

  it("is a little less where its advertiser's other offers are clicked less", () => {
    const [low = 0, usual = 0, high = 0] = [0.005, 0.02, 0.08].map((advertiser) =>
      hopeOf(cpc, 0, learnedOf([advertiser, 2, 100, 0, 0])),
    );
    expect(low).toBeLessThan(usual);
    expect(usual).toBeLessThan(high);
    expect(high / usual).toBeLessThan(2);
  });

  it("makes it a newcomer as long as it may be the best of its priority", () => {
    const known = [0.02, 400, 10_000, 400, 10_000];
    const offers = [cpc, cpc, offer({ ...cpc, isNew: true })];
    const newcomers = (count: number, exposure: number, all = offers) => {
      const learned = learnedOf(known, known, [0.02, count, exposure, 0, 0]);
      const expected = Float64Array.from(all, (each, i) => worthOf(each, i, learned).expected);
      const some = newcomersOf(all, learned);
      const levels = Int32Array.from(all, ({ priority }) => 2 * priority);
      const hopeful = hopefulOf(some, { newcomers: some, expected }, levels);
      return hopeful.map(({ at, isUnseen }) => ({ at, isUnseen }));
    };
    expect(newcomers(0, 0)).toEqual([{ at: 2, isUnseen: true }]);
    expect(newcomers(40, 900)).toEqual([{ at: 2, isUnseen: false }]);
    expect(newcomers(1, 900)).toEqual([]);
    expect(newcomers(1, 900, [cpc, cpc, offer({ ...cpc, isNew: true, priority: 1 })])).toEqual([
      { at: 2, isUnseen: false },
    ]);
    expect(newcomers(0, 100, [cpc, offer({ isNew: true }), offer({ isNew: true })])).toEqual([]);
    expect(newcomers(30, 1_000, [cpc, cpc, cpc])).toEqual([]);
    // However old it is, an offer that was hardly shown is given a chance.
    expect(newcomers(0, 19, [cpc, cpc, cpc])).toEqual([{ at: 2, isUnseen: true }]);
    expect(newcomers(4, 174, [cpc, cpc, cpc])).toEqual([{ at: 2, isUnseen: true }]);
    expect(newcomers(4, 175, [cpc, cpc, cpc])).toEqual([]);
    expect(newcomers(0, 174, [cpc, cpc, cpc])).toEqual([]);
  });
});
