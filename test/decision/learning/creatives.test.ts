import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { meanOf } from "../../../functions/decision/learning/belief.ts";
import { creativeBeliefs, creativeShares } from "../../../functions/decision/learning/creatives.ts";
import { normalQuantile, normalShare } from "../../../functions/decision/learning/normal.ts";

const RATES: [number, number] = [0.02, 0.05];
const seen = (clicks: number, exposure: number, conversions = 0) => ({
  clicks,
  exposure,
  conversions,
  clicked: clicks,
});
const sharesOf = (...sums: ReturnType<typeof seen>[]) => creativeShares(creativeBeliefs(sums, "CPC", RATES));

describe("shares of creatives", () => {
  it("are alike while nothing is known, and one alone has all", () => {
    expect(sharesOf(seen(0, 0), seen(0, 0))).toEqual([0.5, 0.5]);
    expect(sharesOf(seen(0, 0), seen(0, 0), seen(0, 0), seen(0, 0))).toEqual([0.25, 0.25, 0.25, 0.25]);
    expect(sharesOf(seen(3, 100))).toEqual([1]);
  });

  it("go to what is clicked more, the surer the more was seen, and leave a hundredth to the others", () => {
    const [few = 0] = sharesOf(seen(12, 400), seen(8, 400));
    const [more = 0] = sharesOf(seen(60, 2_000), seen(40, 2_000));
    expect(few).toBeGreaterThan(0.6);
    expect(more).toBeGreaterThan(few);
    expect(sharesOf(seen(6_000, 200_000), seen(4_000, 200_000))).toEqual([1, 0.01]);
  });

  it("go by conversions of impressions, where those are paid for", () => {
    const [first, second] = [seen(300, 10_000, 6), seen(200, 10_000, 30)];
    const [byClicks = 0] = sharesOf(first, second);
    const [byConversions = 1] = creativeShares(creativeBeliefs([first, second], "CPA", RATES));
    expect(byClicks).toBeGreaterThan(0.95);
    expect(byConversions).toBeLessThan(0.05);
  });

  it("are the same whatever the order, and add up to one but for rounding and the hundredths kept", () => {
    const sums = fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 500, max: 20_000 }));
    fc.assert(
      fc.property(fc.array(sums, { minLength: 2, maxLength: 4 }), (list) => {
        const shares = sharesOf(...list.map(([clicks, exposure]) => seen(clicks, exposure)));
        expect(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1)).toBeLessThan(0.06);
        for (const share of shares) expect(share).toBeGreaterThanOrEqual(0.01);
        const turned = sharesOf(...list.toReversed().map(([clicks, exposure]) => seen(clicks, exposure)));
        for (const [i, share] of turned.toReversed().entries()) expect(share).toBeCloseTo(shares[i] ?? 0, 5);
      }),
    );
  });

  it("draw what little is known of towards the rate of all creatives", () => {
    const [known, fresh] = creativeBeliefs([seen(300, 10_000), seen(0, 0)], "CPC", RATES);
    expect(meanOf(known ?? { shape: 0, exposure: 1 })).toBeCloseTo(0.03, 3);
    expect(meanOf(fresh ?? { shape: 0, exposure: 1 })).toBeCloseTo(0.03, 3);
    expect(fresh?.shape).toBe(4);
  });
});

it("knows which part of a normal variable is below a value", () => {
  fc.assert(
    fc.property(fc.double({ min: 0.0001, max: 0.9999, noNaN: true }), (probability) => {
      expect(normalShare(normalQuantile(probability))).toBeCloseTo(probability, 6);
    }),
  );
});
