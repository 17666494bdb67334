import { describe, expect, it } from "vitest";
import { CASES, EVEN } from "./pacing/cases.ts";
import { runCase } from "./pacing/run.ts";
import { rmsOf } from "./pacing/study.ts";

describe("in simulated traffic", () => {
  it.each(Object.entries(EVEN))("an offer keeps to its curve, and uses its cap up: %s", (_, offer) => {
    const days = Math.min(offer.endsAt, 96);
    const { errors, billed } = runCase({ ...offer, endsAt: offer.dailyCap === null ? offer.endsAt : days }, 1);
    expect(rmsOf(errors)).toBeLessThan(offer.isKnown ? 0.05 : 0.1);
    expect(billed).toBeGreaterThan(0.98);
  });

  it("an offer that is not paced is far from it", () => {
    const { errors, billed } = runCase({ ...CASES["a daily cap, as soon as possible"], endsAt: 48 }, 1);
    expect(rmsOf(errors)).toBeGreaterThan(0.2);
    expect(billed).toBe(1);
  });

  it("is the same for the same seed, and another for another", () => {
    const offer = { ...EVEN["a daily cap"], endsAt: 24 };
    expect(runCase(offer, 1)).toEqual(runCase(offer, 1));
    expect(runCase(offer, 2)).not.toEqual(runCase(offer, 1));
  });
});
