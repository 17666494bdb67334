import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Breakdown, ReportQuery, ReportRow } from "../../../db/tracking/reports.ts";
import { NOTHING } from "../../../functions/routes/tracking/report-format.ts";
import { filledSize, fillPeriods } from "../../../functions/routes/tracking/report-periods.ts";

const query = (given: Partial<ReportQuery>): ReportQuery => ({
  from: "2026-01-30",
  to: "2026-02-03",
  groups: ["COUNTRY"],
  breakdown: "DAY",
  ...given,
});
const row = (period: string, country: string | null, clicks: number): ReportRow => ({
  ...NOTHING,
  period,
  country,
  clicks,
});
const told = (rows: readonly ReportRow[]) => rows.map((of) => `${of.period} ${of.country ?? "all"} ${of.clicks}`);

describe("days without traffic", () => {
  it.each<[string, ReportRow[], Partial<ReportQuery>, string[]]>([
    [
      "by day, for whatever has a row",
      [row("2026-01-31", "US", 1), row("2026-02-01", "DE", 2)],
      { from: "2026-01-31", to: "2026-02-02" },
      [
        "2026-01-31 US 1",
        "2026-01-31 DE 0",
        "2026-02-01 US 0",
        "2026-02-01 DE 2",
        "2026-02-02 US 0",
        "2026-02-02 DE 0",
      ],
    ],
    // 30 January 2026 is a Friday.
    [
      "by week, from the Monday before",
      [row("2026-02-02", "US", 1)],
      { breakdown: "WEEK" },
      ["2026-01-26 US 0", "2026-02-02 US 1"],
    ],
    [
      "by month",
      [row("2026-01-01", "US", 1)],
      { breakdown: "MONTH", to: "2026-03-01" },
      ["2026-01-01 US 1", "2026-02-01 US 0", "2026-03-01 US 0"],
    ],
    ["a total without any row", [], { groups: [], to: "2026-01-31" }, ["2026-01-30 all 0", "2026-01-31 all 0"]],
    ["nothing where nothing has a row", [], {}, []],
  ])("are filled %s", (_, rows, asked, expected) => {
    expect(told(fillPeriods(rows, query(asked)))).toEqual(expected);
  });

  it.each<[Breakdown, string, string, number]>([
    ["DAY", "1000-01-01", "9999-12-31", 3_287_182],
    ["WEEK", "2026-11-22", "9999-12-31", 416_018],
    ["MONTH", "2026-11-22", "9999-12-31", 95_678],
    ["DAY", "2026-11-22", "2026-11-22", 1],
    ["WEEK", "2026-11-22", "2026-11-23", 2],
    ["WEEK", "1969-12-28", "1970-01-05", 3],
    ["MONTH", "2026-11-30", "2026-12-01", 2],
  ])("are counted by %s from %s to %s, however many there are", (breakdown, from, to, n) => {
    expect(filledSize([], query({ groups: [], from, to, breakdown }))).toBe(n);
  });

  it("keep every row, and make as many as foretold", () => {
    const day = fc.integer({ min: 0, max: 40 }).map((n) => new Date(1_767_225_600_000 + n * 86_400_000));
    const countries = fc.uniqueArray(fc.constantFrom("US", "DE", "FR"));
    fc.assert(
      fc.property(day, day, countries, fc.constantFrom<Breakdown>("DAY", "WEEK", "MONTH"), (a, b, split, breakdown) => {
        const [from = "", to = ""] = [a, b].map((date) => date.toISOString().slice(0, 10)).toSorted();
        const asked = query({ from, to, breakdown });
        const first = fillPeriods([row("", "US", 0)], asked)[0]?.period ?? "";
        const rows = split.map((country, i) => row(first, country, i + 1));
        const filled = fillPeriods(rows, asked);
        expect(filled).toHaveLength(filledSize(rows, asked));
        expect(filled.filter(({ clicks }) => clicks > 0)).toEqual(rows);
        expect(told(filled)).toEqual([...new Set(told(filled))]);
      }),
    );
  });
});
