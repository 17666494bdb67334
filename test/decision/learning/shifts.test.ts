import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JudgedDay } from "../../../db/learning/sums.ts";
import { collectingDays } from "../../../functions/decision/learning/days.ts";
import { NO_CELL } from "../../../functions/decision/learning/sums.ts";
import { hasShifted, SHIFT_DAYS } from "../../../functions/decision/learning/shifts.ts";

/** Makes a day of an offer; of all others many clicks came, as often as expected, or by a factor more. */
const dayOf = (taught: number, expected: number, others = 1): JudgedDay => ({
  taught,
  expected,
  all: { taught: taught + 1e6 * others, expected: expected + 1e6 },
});

const USUAL = dayOf(30, 30);

/** Makes a day of an offer beside so many clicks of others, and so many expected ones. */
const beside =
  (clicks: number, expectedClicks: number) =>
  (taught: number, expected: number): JudgedDay => ({
    taught,
    expected,
    all: { taught: taught + clicks, expected: expected + expectedClicks },
  });

const known = (clicks: number, exposure: number) => ({ ...NO_CELL, clicks, exposure, anywhere: exposure });

const counted = (offerId: string, day: number, clicks: number, untaughtClicks = 0) => ({
  offerId,
  day,
  clicks,
  untaughtClicks,
});

describe("hasShifted", () => {
  it.each<[string, number, JudgedDay[], boolean]>([
    ["nothing happened", 0, [], false],
    ["nothing was known", 0, [dayOf(30, 3)], false],
    ["nothing happened lately", 500, [], false],
    ["nothing was expected", 500, [dayOf(0, 0)], false],
    ["all is as expected", 500, [USUAL, USUAL, USUAL], false],
    ["chance explains a bad day", 500, [USUAL, dayOf(18, 30)], false],
    ["chance explains a good day", 500, [USUAL, dayOf(44, 30)], false],
    ["little was known before", 6, [dayOf(25, 10)], false],
    ["the rate fell yesterday", 500, [USUAL, USUAL, dayOf(10, 30), dayOf(12, 30)], true],
    ["the rate rose two days ago", 500, [USUAL, dayOf(55, 30), dayOf(50, 30), dayOf(52, 30)], true],
    ["nobody clicks any more", 500, [USUAL, dayOf(0, 10)], true],
    ["it fell a little, for long", 2_000, Array.from({ length: SHIFT_DAYS }, () => dayOf(22, 30)), true],
    ["it fell by less than a fifth, however certain", 1e6, [dayOf(8_100, 10_000)], false],
    ["it rose by less than a quarter, however certain", 1e6, [dayOf(12_400, 10_000)], false],
    ["all offers are clicked less", 500, [USUAL, dayOf(12, 30, 0.4), dayOf(12, 30, 0.4)], false],
    ["all offers but this are clicked more", 500, [USUAL, dayOf(30, 30, 2), dayOf(30, 30, 2)], true],
  ])("tells whether it has, where %s", (_, clicks, days, shifted) => {
    expect(hasShifted(clicks, days)).toBe(shifted);
  });

  it("takes a day for usual while few others were clicked", () => {
    const alone = beside(0, 0)(10, 30);
    expect(hasShifted(500, [alone, alone])).toBe(true);
    // Half as many clicks of others as expected say little of the day, if these are few.
    const few = beside(3, 6)(10, 30);
    expect(hasShifted(500, [few, few])).toBe(true);
    const many = beside(1_500, 3_000)(10, 30);
    expect(hasShifted(500, [many, many])).toBe(false);
  });

  it("finds the more, the longer another rate holds", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 5_000 }), fc.integer({ min: 0, max: 20 }), (clicks, taught) => {
        const days = (count: number) => Array.from({ length: count }, () => dayOf(taught, 30));
        expect(hasShifted(clicks, days(SHIFT_DAYS)) || !hasShifted(clicks, days(3))).toBe(true);
        expect(hasShifted(clicks, days(SHIFT_DAYS))).toBe(true);
      }),
    );
  });
});

describe("collectingDays", () => {
  it("compares clicks with those expected where ten or more were known", () => {
    const days = collectingDays();
    days.add(counted("a", 5, 3, 2), known(10, 200), 100);
    days.add(counted("a", 5, 1), known(9.9, 200), 100);
    days.add(counted("a", 5, 4), known(40, 1_000), 50);
    days.add(counted("a", 6, 0), known(40, 1_000), 25);
    days.add(counted("b", 5, 2), known(0, 0), 100);
    expect(days.all()).toEqual([
      { offerId: "a", day: 5, clicks: 10, taught: 7, expected: 7 },
      { offerId: "a", day: 6, clicks: 0, taught: 0, expected: 1 },
      { offerId: "b", day: 5, clicks: 2, taught: 0, expected: 0 },
    ]);
  });

  it("tells nothing of days without a click, known or expected", () => {
    const days = collectingDays();
    days.add(counted("a", 5, 0), known(9, 200), 100);
    days.add(counted("a", 6, 0), known(10, 0), 100);
    expect(days.all()).toEqual([]);
  });
});
