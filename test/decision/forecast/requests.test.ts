import { describe, expect, it } from "vitest";
import { drawing } from "../../../functions/decision/forecast/draws.ts";
import { admits, admittedShare, candidateOf, seenRates } from "../../../functions/decision/forecast/requests.ts";
import { fact, planned } from "../../support/documents/planned.ts";

describe("admits", () => {
  it.each([
    [{}, {}, true],
    [{}, { fits: false }, false],
    [{ languages: ["de"] }, {}, false],
    [{ languages: ["de", "en"], paymentTypes: ["paypal" as const] }, { paymentType: "paypal" }, true],
    [{ currencies: ["USD"], amountMin: 40, amountMax: 60 }, {}, true],
    [{ currencies: ["USD"], amountMin: 60 }, {}, false],
    [{ currencies: ["USD"], amountMin: 40 }, { amount: null }, false],
    [{ paymentTypes: ["paypal" as const] }, {}, false],
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

describe("drawing", () => {
  it.each([0, 0.3, 4, 49, 51, 2_000])("draws counts around %d, which stray as counts do", (mean) => {
    const draw = drawing(7);
    const counts = Array.from({ length: 4_000 }, () => draw.poisson(mean));
    const average = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    const variance = counts.reduce((sum, count) => sum + (count - average) ** 2, 0) / counts.length;
    expect(counts.every((count) => Number.isInteger(count) && count >= 0)).toBe(true);
    expect(Math.abs(average - mean)).toBeLessThan(0.05 * Math.sqrt(mean) + 1e-9);
    expect(Math.abs(variance - mean)).toBeLessThan(0.1 * mean + 1e-9);
  });

  it("draws the same again", () => {
    const [one, other] = [drawing(7), drawing(7)];
    for (const mean of [0.3, 60]) expect(one.poisson(mean)).toBe(other.poisson(mean));
    expect(one.gamma(4)).toBe(other.gamma(4));
    expect(one.below(9)).toBe(other.below(9));
  });
});
