import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JudgedDay } from "../../../db/learning/sums.ts";
import { brief } from "../../../functions/decision/interval.ts";
import { collectingDays } from "../../../functions/decision/learning/days.ts";
import { NO_CELL } from "../../../functions/decision/learning/sums.ts";
import { SHIFT_DAYS, shiftOf } from "../../../functions/decision/learning/shifts.ts";

/** Makes a day of an offer; the other offers had many clicks, as many as expected, or by a factor more. */
const dayOf = (taught: number, expected: number, others = 1): JudgedDay => ({
  taught,
  expected,
  all: { taught: taught + 1e6 * others, expected: expected + 1e6 },
});

const USUAL = dayOf(30, 30);

/** Makes a day of an offer beside a number of clicks, and of expected clicks, of others. */
const beside =
  (clicks: number, expectedClicks: number) =>
  (taught: number, expected: number): JudgedDay => ({
    taught,
    expected,
    all: { taught: taught + clicks, expected: expected + expectedClicks },
  });

const known = (clicks: number, exposure: number) => ({ ...NO_CELL, clicks, exposure, anywhere: exposure });

const counted = (offerId: string, day: number, clicks: number, clicked = clicks) => ({ offerId, day, clicks, clicked });

describe("shiftOf", () => {
  it.each<[string, number, JudgedDay[], number | null]>([
    ["nothing happened", 0, [], null],
    ["nothing was known", 0, [dayOf(30, 3)], null],
    ["nothing happened lately", 500, [], null],
    ["nothing was expected", 500, [dayOf(0, 0)], null],
    ["clicks came before the first impression of their day", 500, [USUAL, dayOf(1, 0)], null],
    ["clicks came of impressions just before midnight", 500, [USUAL, dayOf(3, 0.02)], null],
    ["all is as expected", 500, [USUAL, USUAL, USUAL], null],
    ["chance explains a bad day", 500, [USUAL, dayOf(18, 30)], null],
    ["chance explains a good day", 500, [USUAL, dayOf(44, 30)], null],
    ["little was known before", 6, [dayOf(25, 10)], null],
    ["the rate fell yesterday", 500, [USUAL, USUAL, dayOf(10, 30), dayOf(12, 30)], 0.4],
    ["the rate rose two days ago", 500, [USUAL, dayOf(55, 30), dayOf(50, 30), dayOf(52, 30)], 1.733],
    ["nobody clicks any more", 500, [USUAL, dayOf(0, 10)], 0],
    ["it fell a little, for long", 2_000, Array.from({ length: SHIFT_DAYS }, () => dayOf(22, 30)), 0.7333],
    ["it fell by less than a fifth, however certain", 1e6, [dayOf(8_100, 10_000)], null],
    ["it rose by less than a quarter, however certain", 1e6, [dayOf(12_400, 10_000)], null],
    ["all offers are clicked less", 500, [USUAL, dayOf(12, 30, 0.4), dayOf(12, 30, 0.4)], null],
    ["all offers but this are clicked more", 500, [USUAL, dayOf(30, 30, 2), dayOf(30, 30, 2)], 0.5],
  ])("tells by how much, where %s", (_, clicks, days, ratio) => {
    const found = shiftOf(clicks, days);
    expect(found && brief(found)).toBe(ratio);
  });

  it("takes a day for usual while few others were clicked", () => {
    const alone = beside(0, 0)(10, 30);
    expect(shiftOf(500, [alone, alone])).toBeCloseTo(1 / 3);
    // Half as many clicks of others as expected say little of the day, if these are few.
    const few = beside(3, 6)(10, 30);
    expect(shiftOf(500, [few, few])).not.toBeNull();
    const many = beside(1_500, 3_000)(10, 30);
    expect(shiftOf(500, [many, many])).toBeNull();
  });

  it("finds the more, the longer another rate holds", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 5_000 }), fc.integer({ min: 0, max: 20 }), (clicks, taught) => {
        const days = (count: number) => Array.from({ length: count }, () => dayOf(taught, 30));
        expect(shiftOf(clicks, days(SHIFT_DAYS))).toBeCloseTo(taught / 30, 3);
        expect([null, expect.closeTo(taught / 30, 3)]).toContainEqual(shiftOf(clicks, days(3)));
      }),
    );
  });
});

describe("collectingDays", () => {
  it("compares clicks with those expected where ten or more were known", () => {
    const days = collectingDays();
    days.add(counted("a", 5, 3, 5), known(10, 200), 100);
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

  it.each([
    ["all clicks", 2, 2],
    ["none, as of an offer that is not paid by the conversion", 0, 0],
    ["some, when its pricing changed that day", 1, 1],
  ])("compares all clicks where %s may convert", (_, ofFirst, ofSecond) => {
    const days = collectingDays();
    days.add(counted("a", 5, 2, ofFirst), known(40, 1_000), 0);
    days.add(counted("a", 5, 2, ofSecond), known(40, 1_000), 0);
    expect(days.all()).toEqual([{ offerId: "a", day: 5, clicks: ofFirst + ofSecond, taught: 4, expected: 0 }]);
  });

  it("compares no clicks where nobody was seen, or fewer than clicked", () => {
    const days = collectingDays();
    days.add({ ...counted("a", 5, 3), isUnseen: true }, known(40, 1_000), 0);
    days.add(counted("a", 5, 2), known(40, 1_000), 0);
    days.add(counted("a", 6, 1), known(40, 40), 50);
    days.add(counted("a", 6, 1), known(40, 50), 50);
    expect(days.all()).toEqual([
      { offerId: "a", day: 5, clicks: 5, taught: 2, expected: 0 },
      { offerId: "a", day: 6, clicks: 2, taught: 1, expected: 40 },
    ]);
  });

  it("tells nothing of days without a click, known or expected", () => {
    const days = collectingDays();
    days.add(counted("a", 5, 0), known(9, 200), 100);
    days.add(counted("a", 6, 0), known(10, 0), 100);
    expect(days.all()).toEqual([]);
  });
});
