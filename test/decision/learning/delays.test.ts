import { describe, expect, it } from "vitest";
import { agedClicks, arrivedByAge, DELAY_DAYS, maturityOf } from "../../../functions/decision/learning/delays.ts";

describe("arrivedByAge", () => {
  it("rises to all of them, with or without delays that were seen", () => {
    for (const delays of [[], [5, 3, 1], [0, 0, 900]]) {
      const arrived = arrivedByAge(delays);
      expect(arrived).toHaveLength(DELAY_DAYS + 1);
      expect(arrived.every((share, age) => share > 0 && share >= (arrived[age - 1] ?? 0))).toBe(true);
      expect(arrived.at(-1)).toBeCloseTo(1, 12);
    }
  });

  it("is what was seen, where much was: clicks and looks come at any time of their days", () => {
    const counts = [50_000, 30_000, 20_000];
    const arrived = arrivedByAge(counts);
    const parts = Array.from({ length: 100 }, (_, i) => (i + 0.5) / 100);
    for (const age of [0, 1, 2, 3, 4]) {
      let seen = 0;
      let come = 0;
      for (const clicked of parts) {
        for (const looked of parts) {
          const old = age + looked - clicked;
          if (old <= 0) continue;
          seen += 1;
          for (const [days, count] of counts.entries())
            come += (count / 100_000) * Math.min(1, Math.max(0, old - days));
        }
      }
      expect(arrived[age]).toBeCloseTo(come / seen, 2);
    }
  });
});

describe("agedClicks", () => {
  it.each([
    ["none", 0, [], [0]],
    ["old ones alone", 7, [], [7]],
    [
      "of days in any order",
      10,
      [
        { age: 2, clicks: 3 },
        { age: 0, clicks: 1 },
      ],
      [1, 3, 6],
    ],
    [
      "the newest of more than there are",
      4,
      [
        { age: 0, clicks: 3 },
        { age: 1, clicks: 3 },
      ],
      [3, 1, 0],
    ],
    ["none of those that were taken back", -2, [{ age: 0, clicks: 3 }], [0, 0]],
  ])("lists %s", (_, all, recent, clicks) => {
    const aged = agedClicks(all, recent);
    expect(aged.map((each) => each.clicks)).toEqual(clicks);
    expect(aged.map(({ age }) => age)).toEqual([...recent.map(({ age }) => age).toSorted((a, b) => a - b), DELAY_DAYS]);
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
