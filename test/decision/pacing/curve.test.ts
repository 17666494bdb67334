import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CLOCK, curveOf, expectedBetween, WEEK_HOURS } from "../../../functions/decision/pacing/curve.ts";

const HOUR = 3_600_000;
/** Is a Thursday, with which the hours of the week begin. */
const THURSDAY = Date.UTC(2026, 0, 1);

const week = (requestsOf: (hour: number) => number) => Array.from({ length: WEEK_HOURS }, (_, i) => requestsOf(i));
/** Makes traffic of four weeks, each of which had the same. */
const fourWeeks = (requestsOf: (hour: number) => number) => ({
  requests: week((hour) => 4 * requestsOf(hour)),
  since: THURSDAY - 4 * WEEK_HOURS * HOUR,
  until: THURSDAY,
});

describe("a curve of traffic", () => {
  it("is the clock where nothing is known", () => {
    const nothing = { requests: week(() => 0), since: null, until: THURSDAY };
    expect(curveOf(nothing)).toBe(CLOCK);
    expect(curveOf({ ...nothing, since: THURSDAY - HOUR })).toBe(CLOCK);
    expect(expectedBetween(CLOCK, THURSDAY, THURSDAY + 36.5 * HOUR)).toBeCloseTo(36.5, 9);
    expect(CLOCK.level).toBeNull();
  });

  it("tells of each hour of the week what it usually has, of an average hour 1", () => {
    const curve = curveOf(fourWeeks((hour) => (hour === 30 ? 500 : 100)));
    const at = (hour: number) => expectedBetween(curve, THURSDAY + hour * HOUR, THURSDAY + (hour + 1) * HOUR);
    expect(curve.level).toBeCloseTo((167 * 100 + 500) / 168, 0);
    expect(at(30) / at(31)).toBeGreaterThan(4.4);
    expect(at(30 + 168)).toBeCloseTo(at(30), 9);
    // The same hour of other days is shrunk towards it a little.
    expect(at(54) / at(31)).toBeCloseTo(1, 0);
    expect(expectedBetween(curve, THURSDAY, THURSDAY + WEEK_HOURS * HOUR)).toBeCloseTo(WEEK_HOURS, 6);
  });

  it("learns the day from the first day, for those that are still unknown", () => {
    const first = {
      requests: week((hour) => (hour >= 24 ? 0 : hour < 12 ? 10 : 90)),
      since: THURSDAY,
      until: THURSDAY + 24 * HOUR,
    };
    const curve = curveOf(first);
    const half = (from: number) => expectedBetween(curve, THURSDAY + from * HOUR, THURSDAY + (from + 12) * HOUR);
    for (const day of [0, 24, 72, 144]) expect(half(day + 12) / half(day)).toBeGreaterThan(2);
  });

  it("adds up, whatever is between", () => {
    const hours = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: WEEK_HOURS, maxLength: WEEK_HOURS });
    const times = fc.array(fc.integer({ min: 0, max: 60 * 24 * 3_600_000 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(hours, times, (requests, given) => {
        const curve = curveOf({ ...fourWeeks(() => 0), requests });
        const [a = 0, b = 0, c = 0] = given.toSorted((x, y) => x - y).map((time) => THURSDAY + time);
        const whole = expectedBetween(curve, a, c);
        expect(expectedBetween(curve, a, b) + expectedBetween(curve, b, c)).toBeCloseTo(whole, 6);
        expect(whole).toBeGreaterThanOrEqual(0);
        expect(expectedBetween(curve, c, a)).toBe(0);
        expect(expectedBetween(curve, a, a + WEEK_HOURS * HOUR)).toBeCloseTo(WEEK_HOURS, 6);
      }),
      { seed: 1, numRuns: 100 },
    );
  });
});
