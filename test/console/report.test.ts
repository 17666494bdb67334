import { describe, expect, it } from "vitest";
import { FIGURES } from "../../functions/console/core/figures.ts";
import { lastDays, otherPeriod, periodOf } from "../../functions/console/core/period.ts";
import {
  comparedRows,
  groupsOf,
  nameOf,
  reportedFigures,
  sortedBy,
  type ReportedRow,
} from "../../functions/console/core/report.ts";

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

  it.each([
    ["nothing", undefined, null],
    ["the period before", "before", { from: "2026-10-25", to: "2026-10-31" }],
    ["another", "2026-02-26", { from: "2026-02-26", to: "2026-03-04" }],
    ["nonsense", "soon", null],
  ])("compared with %s", (_, against, period) => {
    expect(otherPeriod({ from: "2026-11-01", to: "2026-11-07" }, against)).toEqual(period);
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

describe("comparing", () => {
  const dates = { now: ["2026-11-08", "2026-11-09"], before: ["2026-11-01", "2026-11-02"] };

  it("puts each day beside the same of the other period, and what is in one alone beside nothing", () => {
    const now = [row("a", "2026-11-08", 5), row("b", "2026-11-09", 7)];
    const before = [row("a", "2026-11-01", 2), row("c", "2026-11-02", 3)];
    const found = comparedRows(now, before, ["SITE"], dates);
    expect(found.map(({ now: own, before: other }) => [own.siteId, own.date, own.clicks, other?.clicks])).toEqual([
      ["a", "2026-11-08", 5, 2],
      ["b", "2026-11-09", 7, 0],
      ["c", "2026-11-09", 0, 3],
    ]);
    expect(new Set(found.map(({ id }) => id)).size).toBe(3);
  });

  it("compares nothing unless asked, and sorts by a figure", () => {
    const now = [row("a", "2026-11-08", 5), row("b", "2026-11-08", 7)];
    const found = comparedRows(now, null, ["SITE"], dates);
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
