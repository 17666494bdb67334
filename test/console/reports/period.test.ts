import { describe, expect, it } from "vitest";
import {
  beginningOn,
  endingOn,
  isRunning,
  lastDays,
  lastWeeks,
  otherPeriod,
  periodOf,
  wholePair,
} from "../../../functions/console/core/reports/period.ts";

const NOW = Date.parse("2026-11-22T12:00:00Z");
const USUAL = { from: "2026-10-24", to: "2026-11-22" };

describe("days", () => {
  it.each([
    ["nothing", {}, USUAL],
    ["nonsense", { from: "yesterday", to: "2026-99-99" }, USUAL],
    ["days", { from: "2026-11-01", to: "2026-11-07" }, { from: "2026-11-01", to: "2026-11-07" }],
    ["days in the wrong order", { from: "2026-11-07", to: "2026-11-01" }, { from: "2026-11-01", to: "2026-11-07" }],
    ["the last day alone", { to: "2026-03-30" }, { from: "2026-03-01", to: "2026-03-30" }],
  ])("of an address with %s", (_, filters, period) => {
    expect(periodOf(filters, NOW)).toEqual(period);
  });

  it.each(["2026-11-31", "2026-02-30", "2027-02-29", "2026-13-01", "+012026-11"])(
    "without %s, which is in no calendar",
    (text) => {
      const usual = { from: "2026-11-15", to: "2026-11-22" };
      expect(periodOf({ from: "2026-11-15", to: text }, NOW)).toEqual(usual);
      expect(otherPeriod(usual, text)).toBeNull();
    },
  );

  it("with a leap day", () => {
    expect(otherPeriod({ from: "2028-03-01", to: "2028-03-01" }, "before")).toEqual({
      from: "2028-02-29",
      to: "2028-02-29",
    });
    expect(otherPeriod({ from: "2026-11-01", to: "2026-11-02" }, "2028-02-29")).toEqual({
      from: "2028-02-29",
      to: "2028-03-01",
    });
  });

  it.each([
    ["nothing", undefined, null],
    ["the period before", "before", { from: "2026-10-25", to: "2026-10-31" }],
    ["another", "2026-02-26", { from: "2026-02-26", to: "2026-03-04" }],
    ["nonsense", "soon", null],
  ])("compared with %s", (_, against, period) => {
    expect(otherPeriod({ from: "2026-11-01", to: "2026-11-07" }, against)).toEqual(period);
  });

  it.each([
    ["another first day", beginningOn, "2026-11-03", { from: "2026-11-03", to: "2026-11-07" }],
    ["a first day behind the last", beginningOn, "2026-11-09", { from: "2026-11-09", to: "2026-11-09" }],
    ["another last day", endingOn, "2026-11-09", { from: "2026-11-01", to: "2026-11-09" }],
    ["a last day before the first", endingOn, "2026-10-09", { from: "2026-10-09", to: "2026-10-09" }],
  ])("with %s", (_, changed, date, period) => {
    expect(changed({ from: "2026-11-01", to: "2026-11-07" }, date)).toEqual(period);
  });

  it("the last seven end today", () => {
    expect(lastDays(NOW, 7)).toEqual({ from: "2026-11-16", to: "2026-11-22" });
  });
});

/** Makes a hundred clicks a day, and a few of the last one, which has just begun. */
const steady = (last: string, days: number) =>
  Array.from({ length: days }, (_, at) => {
    const date = new Date(Date.parse(last) - (days - 1 - at) * 86_400_000).toISOString().slice(0, 10);
    return { date, clicks: date === "2026-11-22" ? 3 : 100 };
  });
const clicksOf = (days: readonly { clicks: number }[]) => days.reduce((sum, { clicks }) => sum + clicks, 0);

describe("a day that is not over", () => {
  it.each([
    ["2026-11-21", false],
    ["2026-11-22", true],
    ["2026-11-23", true],
  ])("is in a period up to %s: %s", (to, isIt) => {
    expect(isRunning({ from: "2026-11-01", to }, NOW)).toBe(isIt);
  });

  it.each([30, 14, 15, 3])("is no part of the weeks that are compared, of %d days", (days) => {
    const { week, before } = lastWeeks(steady("2026-11-22", days), NOW);
    const whole = days - 1;
    expect([clicksOf(week), clicksOf(before)]).toEqual([
      100 * Math.min(7, whole),
      100 * Math.max(0, Math.min(7, whole - 7)),
    ]);
  });

  it.each([
    ["2026-11-22", "2026-11-15", 600, 600],
    ["2026-11-21", "2026-11-14", 700, 700],
    ["2026-11-24", "2026-11-17", 400, 400],
  ])("is left out of both periods, up to %s and %s", (to, other, clicks, compared) => {
    const { now, before } = wholePair(steady(to, 7), steady(other, 7), NOW);
    expect([clicksOf(now), clicksOf(before)]).toEqual([clicks, compared]);
  });

  it("says nothing of what has no days, nor of more days than the other period has", () => {
    const all = [{ clicks: 1, date: undefined }];
    expect(wholePair(all, all, NOW)).toEqual({ now: all, before: all });
    expect(wholePair(steady("2026-11-26", 7), steady("2026-11-15", 2), NOW).before).toEqual([]);
  });
});
