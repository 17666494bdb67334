import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  advertiserRate,
  cellBelief,
  drawnTo,
  meanOf,
  networkRate,
  offerBelief,
  placeFactor,
  productOf,
  USUAL_STRENGTHS,
  type Evidence,
} from "../../../functions/decision/learning/belief.ts";

const NOTHING: Evidence = { count: 0, exposure: 0 };
const evidenceOf = fc
  .tuple(fc.nat(1_000), fc.integer({ min: 1, max: 1_000 }))
  .map(([count, times]): Evidence => ({ count, exposure: count * times + times }));

/** Draws a gamma variable of a whole shape: a sum of exponential ones. */
const gamma = (shape: number, uniform: () => number): number =>
  Array.from({ length: shape }, () => -Math.log(1 - uniform())).reduce((sum, part) => sum + part, 0);

/**
 * Returns the rate of an advertiser in a network with a rate of 0.02, whose other offers were seen 100 times `times`
 * and clicked at a rate of 0.1.
 */
const seen = (times: number) => advertiserRate({ count: 10 * times, exposure: 100 * times }, 0.02);

describe("rates that others are drawn towards", () => {
  it("are what is assumed where nothing is known", () => {
    expect(networkRate(NOTHING, 0.02)).toBeCloseTo(0.02, 12);
    expect(advertiserRate(NOTHING, 0.03)).toBeCloseTo(0.03, 12);
    expect(placeFactor(NOTHING)).toBe(1);
  });

  it("come near what is seen of much", () => {
    const much = { count: 100_000, exposure: 1_000_000 };
    expect(networkRate(much, 0.02)).toBeCloseTo(0.1, 3);
    expect(placeFactor(much)).toBeCloseTo(0.1, 3);
  });

  it("of a place stay within a twentieth and twenty times, where clicks come without impressions, or hardly any do", () => {
    expect(placeFactor({ count: 5_000, exposure: 0 })).toBe(20);
    expect(placeFactor({ count: 5_000, exposure: drawnTo(400) })).toBe(20);
    expect(placeFactor({ count: 0, exposure: 1_000_000 })).toBe(0.05);
  });

  it("come a third of the way to an advertiser's others at most, however much is seen of these", () => {
    expect(seen(1_000)).toBeCloseTo(0.02 + (0.1 - 0.02) / 3, 12);
    expect(seen(1_000_000)).toBeCloseTo(seen(1_000), 12);
    expect(seen(1)).toBeGreaterThan(0.02);
    expect(seen(1)).toBeLessThan(seen(2));
    expect(seen(2)).toBeLessThan(seen(1_000));
  });

  it("stay rates where more was taken back than is still known", () => {
    const less = { count: -12, exposure: -3 };
    expect(networkRate(less, 0.02)).toBeCloseTo(0.02, 12);
    expect(advertiserRate(less, 0.02)).toBeCloseTo(0.02, 12);
    expect(placeFactor({ count: -12, exposure: 0 })).toBe(1);
    expect(offerBelief(less, 0.02, 10)).toEqual({ shape: 10, exposure: 500 });
    const belief = cellBelief(less, less, 1, 0.02, USUAL_STRENGTHS);
    expect(meanOf(belief)).toBeCloseTo(0.02, 12);
  });
});

describe("what is believed of an offer in a place", () => {
  it("is its rate elsewhere as that is in this place, where it was never shown", () => {
    const belief = cellBelief({ count: 400, exposure: 10_000 }, NOTHING, 1.5, 0.04, USUAL_STRENGTHS);
    expect(meanOf(belief)).toBeCloseTo(0.06, 4);
    expect(belief.shape).toBeLessThan(USUAL_STRENGTHS.cell);
  });

  it("is its own rate there, where it was shown much", () => {
    const cell = { count: 5_000, exposure: 50_000 };
    const belief = cellBelief({ count: 6_000, exposure: 100_000 }, cell, 1, 0.02, USUAL_STRENGTHS);
    expect(meanOf(belief)).toBeCloseTo(0.1, 2);
    expect(belief.shape).toBeGreaterThan(5_000);
  });

  it("counts what was seen there once", () => {
    const cell = { count: 50, exposure: 1_000 };
    const shape = 1 / (1 / USUAL_STRENGTHS.offer + 1 / USUAL_STRENGTHS.cell);
    const belief = cellBelief(cell, cell, 1, 0.02, USUAL_STRENGTHS);
    expect(belief.shape).toBeCloseTo(shape + 50, 9);
    expect(belief.exposure).toBeCloseTo(shape / 0.02 + 1_000, 6);
  });

  it("lies between its rate there and elsewhere, and has more shape the more was seen", () => {
    fc.assert(
      fc.property(
        evidenceOf,
        evidenceOf,
        fc.double({ min: 0.001, max: 0.5, noNaN: true }),
        (cell, others, advertiser) => {
          const own = { count: cell.count + others.count, exposure: cell.exposure + others.exposure };
          const elsewhere = meanOf(offerBelief(others, advertiser, USUAL_STRENGTHS.offer));
          const there = cell.count / cell.exposure;
          const belief = cellBelief(own, cell, 1, advertiser, USUAL_STRENGTHS);
          expect(meanOf(belief)).toBeGreaterThanOrEqual(Math.min(there, elsewhere) * (1 - 1e-9));
          expect(meanOf(belief)).toBeLessThanOrEqual(Math.max(there, elsewhere) * (1 + 1e-9));
          expect(belief.shape).toBeGreaterThanOrEqual(cell.count);
        },
      ),
    );
  });
});

describe("the belief about a product of rates", () => {
  it("of one rate is that of the rate", () => {
    const belief = { shape: 7, exposure: 300 };
    expect(productOf([belief]).shape).toBeCloseTo(7, 9);
    expect(productOf([belief]).exposure).toBeCloseTo(300, 9);
  });

  it("has the mean and nearly the variance of draws", () => {
    const parts = [
      { shape: 40, exposure: 2_000 },
      { shape: 25, exposure: 500 },
    ];
    let state = 1;
    const uniform = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    const draws = Array.from({ length: 20_000 }, () =>
      parts.reduce((product, { shape, exposure }) => (product * gamma(shape, uniform)) / exposure, 1),
    );
    const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
    const variance = draws.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / draws.length;
    const belief = productOf(parts);
    expect(meanOf(belief) / mean).toBeCloseTo(1, 1);
    expect(1 / belief.shape / (variance / mean ** 2)).toBeCloseTo(1, 0);
  });
});
