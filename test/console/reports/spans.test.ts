import { describe, expect, it } from "vitest";
import { bySpan, partnersOf, spanOf, spansOf } from "../../../functions/console/core/reports/spans.ts";
import { daysFrom } from "../../support/days.ts";

describe("spans", () => {
  it.each([
    ["2026-11-26", "DAY", "2026-11-26"],
    ["2026-11-26", "WEEK", "2026-11-23"],
    ["2026-11-23", "WEEK", "2026-11-23"],
    ["2026-11-22", "WEEK", "2026-11-16"],
    ["2027-01-01", "WEEK", "2026-12-28"],
    ["2026-11-30", "MONTH", "2026-11-01"],
    ["2028-02-29", "MONTH", "2028-02-01"],
  ] as const)("has %s in the %s of %s", (day, per, first) => {
    expect(spanOf(day, per)).toBe(first);
  });

  it.each([
    ["DAY", "2026-11-22", "2026-11-23", [1, true], [1, true]],
    ["WEEK", "2026-11-16", "2026-11-25", [7, true], [3, false]],
    ["WEEK", "2026-11-18", "2026-11-29", [5, false], [7, true]],
    ["MONTH", "2026-10-31", "2026-11-30", [1, false], [30, true]],
    ["MONTH", "2028-01-02", "2028-02-29", [30, false], [29, true]],
    ["MONTH", "2026-12-01", "2027-01-30", [31, true], [30, false]],
  ] as const)("of %s from %s to %s have so many days, and are whole or not", (per, from, to, ...lengths) => {
    expect(spansOf(daysFrom(from, to), per).map(({ days, isWhole }) => [days, isWhole])).toEqual(lengths);
  });

  it.each([
    ["two whole months", 31, true, 30, true, true],
    ["parts of as many days", 4, false, 4, false, true],
    ["parts of other days", 4, false, 3, false, false],
    ["a part and a whole one", 26, false, 31, true, false],
    ["a part as long as a whole one", 30, false, 30, true, true],
  ])("of %s are compared or not", (_, days, isWhole, others, isOtherWhole, alike) => {
    const date = "2026-11-01";
    const [now, before] = [
      { date, days, isWhole },
      { date, days: others, isWhole: isOtherWhole },
    ];
    expect(partnersOf({ now: [now], before: [before] })).toEqual([alike ? before : undefined]);
  });

  it("add up what was counted on their days, without money where none is told", () => {
    const counts = { requests: 1, viewable: 0, clicks: 10, conversions: 0 };
    const rows = [
      { ...counts, date: "2026-11-21", impressions: 0 },
      { ...counts, date: "2026-11-22", impressions: 1 },
      { ...counts, date: "2026-11-23", impressions: 2, revenue: 2 },
      { ...counts, date: "2026-11-24", impressions: 3, revenue: 2 },
    ];
    const counted = { requests: 2, viewable: 0, clicks: 20, conversions: 0 };
    expect(bySpan(rows, "WEEK")).toEqual([
      { ...counted, date: "2026-11-16", impressions: 1 },
      { ...counted, date: "2026-11-23", impressions: 5, revenue: 4 },
    ]);
    expect(bySpan(rows, "DAY")).toEqual(rows);
  });
});
