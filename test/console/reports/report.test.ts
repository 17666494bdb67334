import { describe, expect, it } from "vitest";
import { FIGURES } from "../../../functions/console/core/reports/figures.ts";
import {
  comparedRows,
  groupsOf,
  idOf,
  nameOf,
  onlyOf,
  orderOf,
  REPORTED,
  reportedFigures,
  sortedBy,
  type ReportedRow,
} from "../../../functions/console/core/reports/report.ts";
import { spansOf, type Span } from "../../../functions/console/core/reports/spans.ts";
import { daysFrom } from "../../support/days.ts";

const COUNTS = { requests: 10, impressions: 4, viewable: 3, clicks: 1, conversions: 0 };

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
  ["that nothing is known", COUNTS, "SITE", "Unknown"],
  ["a country", { ...COUNTS, country: "DE" }, "COUNTRY", "DE"],
  ["that no country is known", COUNTS, "COUNTRY", "Unknown"],
  ["an arm of sessions in words", { ...COUNTS, arm: "LEARNED" }, "ARM", "Learned"],
  ["a creative's name", { ...COUNTS, creative: 2, creativeName: "Two" }, "CREATIVE", "Two"],
  ["the number of a creative that is gone", { ...COUNTS, creative: 2, creativeName: null }, "CREATIVE", "Creative 2"],
  ["an unknown country", { ...COUNTS, country: "ZZ" }, "COUNTRY", "Unknown"],
  ["an offer's own creative", { ...COUNTS, creative: 1, creativeName: null }, "CREATIVE", "The offer’s own"],
] as const)("shows %s", (_, row, group, name) => {
  expect(nameOf(row, group)).toBe(name);
});

it.each([
  ["SITE", { siteId: "site_1", placementId: "plc_1" }, "site_1"],
  ["COUNTRY", { country: "DE" }, "DE"],
  ["ARM", { arm: "RANDOM" }, "RANDOM"],
  ["CREATIVE", { offerId: "ofr_1", creative: 2 }, "2"],
  ["SITE", {}, ""],
  ["COUNTRY", {}, ""],
  ["ARM", {}, ""],
  ["CREATIVE", {}, ""],
] as const)("the id of a row by %s that has %j is %j", (group, members, id) => {
  expect(idOf({ ...COUNTS, ...members }, group)).toBe(id);
});

it.each([
  ["PUBLISHER", "publisherId"],
  ["SITE", "siteId"],
  ["PLACEMENT", "placementId"],
  ["ADVERTISER", "advertiserId"],
  ["OFFER", "offerId"],
  ["COUNTRY", "country"],
  ["CREATIVE", null],
  ["ARM", null],
] as const)("a report is kept to one of %s by %s", (group, parameter) => {
  expect(onlyOf(group)).toBe(parameter);
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

  it("puts totals, which are of no day, beside totals", () => {
    const now = { ...COUNTS, siteId: "a" };
    const before = { ...now, clicks: 7 };
    expect(comparedRows([now], [before], ["SITE"], spans)).toMatchObject([{ now, before }]);
  });

  it("takes rows for the same only where each of what they are split by is", () => {
    const own = { ...COUNTS, siteId: "a", country: "bc" };
    const other = { ...COUNTS, siteId: "ab", country: "c" };
    const found = comparedRows([own], [other], ["SITE", "COUNTRY"], spans);
    expect(found.map(({ now, before }) => [now.siteId, now.clicks, before?.clicks])).toEqual([
      ["a", 1, 0],
      ["ab", 0, 1],
    ]);
  });

  it("keeps the number of a creative that counts nothing this time", () => {
    const gone = { ...COUNTS, offerId: "ofr_1", creative: 2 };
    const [found] = comparedRows([], [gone], ["OFFER", "CREATIVE"], spans);
    expect(found?.now).toMatchObject({ offerId: "ofr_1", creative: 2, clicks: 0 });
  });

  it("sorts what has no figure behind what has none of it", () => {
    const gross = REPORTED.find(({ key }) => key === "gross") ?? null;
    const found = [undefined, 0, 5, 0.5].map((money, at) => ({
      id: String(at),
      now: { ...COUNTS, ...(money !== undefined && { gross: money }) },
      before: null,
    }));
    const ids = (rows: typeof found) => sortedBy(rows, gross).map(({ id }) => id);
    expect(ids(found)).toEqual(["2", "3", "1", "0"]);
    expect(ids(found.toReversed())).toEqual(["2", "3", "1", "0"]);
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
  expect(keys({ revenue: 1, gross: 2 })).toEqual(REPORTED.map(({ key }) => key));
});

it.each([
  ["gross", { gross: 3 }, 3],
  ["gross", { revenue: 1 }, null],
  ["profit", { gross: 3 }, null],
  ["profit", { revenue: 1 }, null],
])("%s of what has %j is %j", (name, money, value) => {
  expect(REPORTED.find(({ key }) => key === name)?.of({ ...COUNTS, ...money })).toBe(value);
});

describe("rows", () => {
  const withMoney = reportedFigures({ ...COUNTS, revenue: 1 });
  const bare = reportedFigures({ impressions: 4, viewable: 3, clicks: 1, conversions: 0 });

  it.each([
    ["by the chosen figure", "rpm", withMoney, false, "rpm"],
    ["by the chosen figure, also by time", "clicks", withMoney, true, "clicks"],
    ["by revenue if nothing is chosen", undefined, withMoney, false, "revenue"],
    ["by impressions where money is not shown", undefined, bare, false, "impressions"],
    ["as usual where they lack the chosen figure", "rpm", bare, false, "impressions"],
    ["by time where they lack the chosen figure", "rpm", bare, true, undefined],
    ["by time if nothing is chosen", undefined, withMoney, true, undefined],
    ["by nothing before any figure is known", "rpm", [], false, undefined],
  ] as const)("are sorted %s", (_, chosen, figures, isByTime, key) => {
    const figure = REPORTED.find((one) => one.key === chosen) ?? null;
    expect(orderOf(figure, figures, isByTime)?.key).toBe(key);
  });
});
