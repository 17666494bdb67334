import { describe, expect, it } from "vitest";
import { changesOf } from "../../../functions/console/core/diff.ts";
import {
  expected,
  FIGURES,
  figuresOf,
  inFull,
  isNothing,
  sumOf,
  type Counted,
} from "../../../functions/console/core/reports/figures.ts";

const row = { impressions: 200, viewable: 150, clicks: 8, conversions: 2 };
const full = { ...row, requests: 1000, fills: 930, revenue: 4.5 };

const keysOf = (counted: Counted) => figuresOf(counted).map(({ key }) => key);

describe("figures", () => {
  it.each([
    ["requests", 1000],
    ["fill", 0.93],
    ["impressions", 200],
    ["viewability", 0.75],
    ["clicks", 8],
    ["ctr", 0.04],
    ["conversions", 2],
    ["revenue", 4.5],
    ["rpm", 4.5],
  ])("%s of what was counted is %d", (key, value) => {
    expect(FIGURES.find((figure) => figure.key === key)?.of(full)).toBe(value);
  });

  it("are those that there is something of", () => {
    expect(keysOf(full)).toEqual(FIGURES.map(({ key }) => key));
    expect(keysOf(row)).toEqual(["impressions", "viewability", "clicks", "ctr", "conversions"]);
    expect(keysOf({ ...row, requests: 0 })).not.toContain("rpm");
    expect(keysOf({ ...row, revenue: 0 })).not.toContain("rpm");
  });

  it.each(["requests", "fill", "revenue", "rpm"])("%s of what has no requests and no money are unknown", (key) => {
    expect(FIGURES.find((figure) => figure.key === key)?.of(row)).toBe(null);
  });

  it.each([
    [false, false, {}],
    [true, false, { revenue: 0 }],
    [false, true, { requests: 0, fills: 0 }],
    [true, true, { revenue: 0, requests: 0, fills: 0 }],
  ])("are expected where money is told (%s) and requests are (%s)", (hasRevenue, hasRequests, members) => {
    const counts = { impressions: 0, viewable: 0, clicks: 0, conversions: 0 };
    expect(expected(hasRevenue, hasRequests)).toEqual({ ...counts, ...members });
  });

  it("are added up, without making up what is missing", () => {
    expect(
      sumOf([
        { ...row, closes: 1, gross: 2 },
        { ...row, closes: 3 },
      ]),
    ).toMatchObject({ closes: 4, gross: 2 });
    expect(sumOf([full, full, row])).toEqual({
      impressions: 600,
      viewable: 450,
      clicks: 24,
      conversions: 6,
      requests: 2000,
      fills: 1860,
      revenue: 9,
    });
    expect(sumOf([])).toEqual({ impressions: 0, viewable: 0, clicks: 0, conversions: 0 });
  });

  it.each([
    [[], true],
    [[{ ...row, impressions: 0, viewable: 0, clicks: 0, conversions: 0 }], true],
    [[row], false],
    [[{ ...full, impressions: 0, viewable: 0, clicks: 0, conversions: 0 }], false],
  ])("%j are nothing: %s", (rows, isIt) => {
    expect(isNothing(rows)).toBe(isIt);
  });

  it("are written in full for tables", () => {
    const [requests] = FIGURES;
    expect(inFull(requests!, { ...full, requests: 1234567 })).toBe("1,234,567");
    const revenue = FIGURES.find(({ key }) => key === "revenue");
    expect(inFull(revenue!, full)).toBe("$4.50");
  });
});

describe("what a change changed", () => {
  it.each([
    [{ a: 1 }, { a: 2 }, [{ name: "a", before: "1", after: "2" }]],
    [{ a: true }, { a: false }, [{ name: "a", before: "yes", after: "no" }]],
    [{ a: null }, { a: "x" }, [{ name: "a", before: "empty", after: "x" }]],
    [{ a: [] }, { a: ["x", "y"] }, [{ name: "a", before: "none", after: "x, y" }]],
    [null, { a: 1 }, [{ name: "a", before: null, after: "1" }]],
    [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, [{ name: "a.c", before: "2", after: "3" }]],
    [{ a: { b: 1 } }, { a: { b: 1 } }, []],
    [{ a: "hidden" }, { a: "hidden" }, [{ name: "a", before: null, after: "changed; the value is not kept here" }]],
  ])("%j to %j", (before, after, changes) => {
    expect(changesOf(before, after)).toEqual(changes);
  });
});
