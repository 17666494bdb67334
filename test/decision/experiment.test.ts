import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PARTS, partOf } from "../../functions/decision/arms.ts";
import { gainOf, strayOf, type Part } from "../../functions/decision/experiment.ts";

const parts = fc.array(
  fc.record({
    requests: fc.integer({ min: 1, max: 500 }),
    got: fc.integer({ min: 1, max: 1e7 }),
    expected: fc.integer({ min: 1e6, max: 1e7 }),
    beyond: fc.integer({ min: -1e6, max: 1e6 }),
    spread: fc.integer({ min: -1e5, max: 1e5 }),
  }),
  { minLength: PARTS, maxLength: PARTS },
);

describe("strayOf", () => {
  it.each([
    [200, 3.76],
    [2_000, 3.04],
    [200_000, 3.58],
    [20_000_000, 4.17],
  ])("allows for looking at %i requests at any time by %f standard errors", (size, stray) => {
    expect(strayOf(size)).toBeCloseTo(stray, 2);
  });

  it("allows for more than looking once, at any size", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), (size) => {
        expect(strayOf(size)).toBeGreaterThan(2.9);
      }),
    );
  });
});

/** Makes equal parts, with a little random variation in what is expected. */
const alike = (more: Partial<Part> = {}): Part[] =>
  Array.from({ length: PARTS }, (_, i) => ({
    requests: 50,
    got: 100,
    expected: 150,
    beyond: 0,
    spread: i % 2 ? 1 : -1,
    ...more,
  }));
const widthOf = (given: readonly Part[]) => {
  const gain = gainOf(given);
  return (gain?.high ?? 0) - (gain?.low ?? 0);
};

describe("gainOf", () => {
  it("is what was expected of requests, less what they got, by the request", () => {
    fc.assert(
      fc.property(parts, (given) => {
        const requests = given.reduce((sum, part) => sum + part.requests, 0);
        const more = given.reduce((sum, { expected, got }) => sum + expected - got, 0);
        const gain = gainOf(given);
        expect(gain?.difference).toBeCloseTo(more / requests, 6);
        expect((gain?.low ?? 0) + (gain?.high ?? 0)).toBeCloseTo((2 * more) / requests, 4);
      }),
    );
  });

  it("goes by the unit of money, and moves with what all requests earn more", () => {
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: 1_000 }), (given, factor) => {
        const plain = gainOf(given);
        const scaled = gainOf(
          given.map(({ requests, got, expected, beyond, spread }) => ({
            requests,
            got: got * factor,
            expected: (expected + 7 * requests) * factor,
            beyond: beyond * factor,
            spread: spread * factor,
          })),
        );
        expect((scaled?.low ?? 0) / factor).toBeCloseTo((plain?.low ?? 0) + 7, 4);
        expect((scaled?.high ?? 0) / factor).toBeCloseTo((plain?.high ?? 0) + 7, 4);
      }),
    );
  });

  it("is the less certain the more parts differ, in whatever they do", () => {
    expect(gainOf(alike())?.difference).toBe(1);
    const halfOf = (change: Partial<Part>) =>
      alike().map((part, i) => (i < 32 ? part : Object.assign({}, part, change)));
    expect(widthOf(halfOf({ got: 130 }))).toBeGreaterThan(widthOf(halfOf({ got: 110 })));
    expect(widthOf(halfOf({ requests: 90 }))).toBeGreaterThan(widthOf(halfOf({ requests: 60 })));
    expect(widthOf(alike({ beyond: 30 }))).toBeGreaterThan(widthOf(alike({ beyond: 10 })));
  });

  it("takes sessions that are held out to stray no less than others do", () => {
    expect(widthOf(alike({ spread: 20 }))).toBeCloseTo(20 * widthOf(alike()), 6);
  });

  it("is the width of the interval by as many standard errors as looking at any time asks for", () => {
    const error = Math.sqrt((64 * 64) / 63) / (64 * 50);
    expect(widthOf(alike())).toBeCloseTo(2 * strayOf(64 * 50) * error, 9);
  });

  it("tells nothing while too little is paid for, however much is asked for", () => {
    expect(gainOf([])).toBeNull();
    expect(gainOf(alike({ expected: 0, spread: 0 }))).toBeNull();
    // A sum of n payments of 1 has the mean n, and n as its variance.
    const paid = (payments: number) =>
      alike({ expected: payments / PARTS, spread: Math.sqrt((payments * (PARTS - 1)) / PARTS / PARTS) });
    expect(gainOf(paid(9.9))).toBeNull();
    expect(gainOf(paid(10.1))).not.toBeNull();
  });

  it("tells nothing of sessions that are too few to differ, however much is paid for", () => {
    const none = { requests: 0, got: 0, expected: 0, beyond: 0, spread: 0 };
    // One session is held out, and what the only other one earned is what all learned requests earn.
    expect(gainOf([none, { ...none, requests: 9, expected: 320_000 }])).toBeNull();
    expect(gainOf(alike().slice(0, 9))).toBeNull();
    expect(gainOf(alike().slice(0, 10))).not.toBeNull();
  });

  it("counts parts in which nothing happened", () => {
    const some = alike().slice(0, 20);
    const none = { requests: 0, got: 0, expected: 0, beyond: 0, spread: 0 };
    expect(gainOf(some.concat(Array.from({ length: 44 }, () => none)))).toEqual(gainOf(some));
  });
});

describe("partOf", () => {
  it("puts sessions into 64 parts alike, always the same, and customers without one by their decisions", () => {
    const counts = Array.from({ length: PARTS }, () => 0);
    for (let i = 0; i < 64_000; i++) {
      const part = partOf(`hash-${i}`, "dec_1");
      expect(partOf(`hash-${i}`, "dec_2")).toBe(part);
      counts[part] = (counts[part] ?? 0) + 1;
    }
    expect(counts).toHaveLength(PARTS);
    expect(Math.min(...counts)).toBeGreaterThan(800);
    expect(Math.max(...counts)).toBeLessThan(1_200);
    expect(new Set(Array.from({ length: 999 }, (_, i) => partOf(null, `dec_${i}`))).size).toBe(PARTS);
  });
});
