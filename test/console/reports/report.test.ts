import { describe, expect, it } from "vitest";
import { FIGURES } from "../../../functions/console/core/reports/figures.ts";
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
import {
  comparedRows,
  groupsOf,
  nameOf,
  reportedFigures,
  sortedBy,
  type ReportedRow,
} from "../../../functions/console/core/reports/report.ts";
import { spansOf, type Span } from "../../../functions/console/core/reports/spans.ts";
import { daysFrom } from "../../support/days.ts";

const NOW = Date.parse("2026-11-22T12:00:00Z");
const USUAL = { from: "2026-10-24", to: "2026-11-22" };
const COUNTS = { requests: 10, impressions: 4, viewable: 3, clicks: 1, conversions: 0 };

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

  it.each(["2026-11-31", "2026-02-30", "2027-02-29", "2026-13-01"])("without %s, which is in no calendar", (text) => {
    const usual = { from: "2026-11-15", to: "2026-11-22" };
    expect(periodOf({ from: "2026-11-15", to: text }, NOW)).toEqual(usual);
    expect(otherPeriod(usual, text)).toBeNull();
  });

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

it.each([
  [undefined, undefined, ["PLACEMENT"]],
  ["TOTAL", "SITE", []],
  ["nonsense", "nonsense", ["PLACEMENT"]],
  ["SITE", "COUNTRY", ["SITE", "COUNTRY"]],
  ["SITE", "SITE", ["SITE"]],
  ["CREATIVE", undefined, ["OFFER", "CREATIVE"]],
])("splits by %s and %s", (by, and, groups) => {
  expect(groupsOf(by, and, "PLACEMENT")).toEqual(groups);
});

it.each([
  ["a name", { ...COUNTS, siteId: "site_1", siteName: "Shop" }, "SITE", "Shop"],
  ["the id of what is gone", { ...COUNTS, siteId: "site_1", siteName: null }, "SITE", "site_1"],
  ["an unknown country", { ...COUNTS, country: "ZZ" }, "COUNTRY", "Unknown"],
  ["an offer's own creative", { ...COUNTS, creative: 1, creativeName: null }, "CREATIVE", "The offer’s own"],
] as const)("shows %s", (_, row, group, name) => {
  expect(nameOf(row, group)).toBe(name);
});

const row = (siteId: string, date: string, clicks: number): ReportedRow => ({ ...COUNTS, siteId, date, clicks });

const weekly = (weeks: readonly string[]) => weeks.map((date, at) => row("a", date, at + 1));

const wholeOnes = (dates: readonly string[]): Span[] => dates.map((date) => ({ date, days: 1, isWhole: true }));

const pairs = (now: readonly Span[], before: readonly Span[]) => {
  const [own, other] = [now, before].map((spans) => weekly(spans.map(({ date }) => date)));
  return comparedRows(own ?? [], other ?? [], ["SITE"], { now, before }).map(({ now: counted, before: partner }) => [
    counted.date,
    counted.clicks,
    partner?.clicks ?? null,
  ]);
};

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
    const all: ReportedRow[] = [COUNTS];
    expect(wholePair(all, all, NOW)).toEqual({ now: all, before: all });
    expect(wholePair(steady("2026-11-26", 7), steady("2026-11-15", 2), NOW).before).toEqual([]);
  });
});

const monthsOf = (from: string, to: string) => spansOf(daysFrom(from, to), "MONTH");

describe("comparing", () => {
  const spans = { now: wholeOnes(["2026-11-08", "2026-11-09"]), before: wholeOnes(["2026-11-01", "2026-11-02"]) };

  it("puts each day beside the same of the other period, and what is in one alone beside nothing", () => {
    const now = [row("a", "2026-11-08", 5), row("b", "2026-11-09", 7)];
    const before = [row("a", "2026-11-01", 2), row("c", "2026-11-02", 3)];
    const found = comparedRows(now, before, ["SITE"], spans);
    expect(found.map(({ now: own, before: other }) => [own.siteId, own.date, own.clicks, other?.clicks])).toEqual([
      ["a", "2026-11-08", 5, 2],
      ["b", "2026-11-09", 7, 0],
      ["c", "2026-11-09", 0, 3],
    ]);
    expect(new Set(found.map(({ id }) => id)).size).toBe(3);
  });

  it("pairs weeks from the end where one period has more of them, and overwrites none", () => {
    const [longer, shorter] = [
      wholeOnes(["2026-09-21", "2026-09-28", "2026-10-05"]),
      wholeOnes(["2026-10-05", "2026-10-12"]),
    ];
    expect(pairs(shorter, longer)).toEqual([
      ["2026-10-05", 1, 2],
      ["2026-10-12", 2, 3],
    ]);
    expect(pairs(longer, shorter)).toEqual([
      ["2026-09-21", 1, null],
      ["2026-09-28", 2, 1],
      ["2026-10-05", 3, 2],
    ]);
  });

  it("sets no part of a month beside more or fewer of its days", () => {
    expect(pairs(monthsOf("2026-09-28", "2026-11-30"), monthsOf("2026-07-26", "2026-09-27"))).toEqual([
      ["2026-09-01", 1, null],
      ["2026-10-01", 2, 2],
      ["2026-11-01", 3, null],
    ]);
  });

  it("compares nothing unless asked, and sorts by a figure", () => {
    const now = [row("a", "2026-11-08", 5), row("b", "2026-11-08", 7)];
    const found = comparedRows(now, null, ["SITE"], spans);
    expect(found.map(({ before }) => before)).toEqual([null, null]);
    const clicks = FIGURES.find(({ key }) => key === "clicks") ?? null;
    expect(sortedBy(found, clicks).map(({ now: own }) => own.siteId)).toEqual(["b", "a"]);
    expect(sortedBy(found, null)).toEqual(found);
  });
});

it("shows no money that a token may not see, and what advertisers owe where it may", () => {
  const keys = (counted: object) => reportedFigures({ ...COUNTS, ...counted }).map(({ key }) => key);
  expect(keys({})).not.toContain("revenue");
  expect(keys({ revenue: 1 })).not.toContain("gross");
  expect(keys({ revenue: 1, gross: 2 }).slice(-2)).toEqual(["gross", "profit"]);
  const profit = reportedFigures({ ...COUNTS, revenue: 1, gross: 3 }).at(-1);
  expect(profit?.of({ ...COUNTS, revenue: 1, gross: 3 })).toBe(2);
});
