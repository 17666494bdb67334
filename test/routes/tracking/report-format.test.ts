import { describe, expect, it } from "vitest";
import type { ReportQuery, ReportRow } from "../../../db/tracking/reports.ts";
import { csv } from "../../../functions/http/csv.ts";
import { NOTHING, reportRows } from "../../../functions/routes/tracking/report-format.ts";

const row: ReportRow = {
  ...NOTHING,
  period: "2026-11-21",
  siteId: "site_1",
  siteName: "Shop",
  placementId: "plc_1",
  placementName: "Footer",
  country: "US",
  requests: 10,
  fills: 9,
  impressions: 3,
  viewable: 2,
  clicks: 1,
  closes: 4,
  declines: 2,
  endings: 1,
  conversions: 5,
  transactions: 6,
  revenueMicros: 1_234_567,
  grossMicros: 2_000_000,
};
const DAYS = { from: "2026-11-20", to: "2026-11-21" };
const ALL: ReportQuery = { ...DAYS, breakdown: "DAY", groups: ["PLACEMENT", "SITE", "COUNTRY"] };
const BOTH = { revenueAccess: true, grossAccess: true };

describe("a report's row", () => {
  it("has what it is split by, counts, then money in USD", () => {
    const [shown] = reportRows([row], ALL, BOTH);
    expect(shown).toEqual({
      date: "2026-11-21",
      siteId: "site_1",
      siteName: "Shop",
      placementId: "plc_1",
      placementName: "Footer",
      country: "US",
      requests: 10,
      fills: 9,
      impressions: 3,
      viewable: 2,
      clicks: 1,
      closes: 4,
      declines: 2,
      conversions: 5,
      transactions: 6,
      ctr: 0.333333,
      goOn: 0.666667,
      revenue: 1.234567,
      gross: 2,
      profit: 0.765433,
    });
  });

  it.each([
    [{ revenueAccess: false, grossAccess: false }, []],
    [{ revenueAccess: true, grossAccess: false }, ["revenue"]],
    [{ revenueAccess: false, grossAccess: true }, ["gross", "profit"]],
    [BOTH, ["revenue", "gross", "profit"]],
  ])("shows to %j of money %j", (access, money) => {
    const [shown = {}] = reportRows([row], { ...DAYS, breakdown: "NONE", groups: ["COUNTRY"] }, access);
    const counts = "impressions viewable clicks closes declines conversions transactions ctr goOn".split(" ");
    expect(Object.keys(shown)).toEqual(["country", "requests", "fills", ...counts, ...money]);
  });

  it.each<[Partial<ReportQuery>, string[]]>([
    [{ groups: ["OFFER"] }, ["offerId", "offerName", "impressions"]],
    [{ groups: ["ADVERTISER"] }, ["advertiserId", "advertiserName", "impressions"]],
    [{ groups: ["PUBLISHER"] }, ["publisherId", "publisherName", "requests", "fills"]],
    [{ groups: [], offerId: "ofr_1" }, ["impressions"]],
    [{ groups: [], advertiserId: "adv_1" }, ["impressions"]],
    [{ groups: [], siteId: "site_1" }, ["requests", "fills"]],
  ])("has no requests where it is of offers: %j", (asked, first) => {
    const [shown = {}] = reportRows([row], { ...DAYS, breakdown: "NONE", groups: [], ...asked }, BOTH);
    expect(Object.keys(shown).slice(0, first.length)).toEqual(first);
  });

  it.each([
    [0, 0, 0],
    [1, 0, 0],
    [1, 3, 0.333333],
    [2, 3, 0.666667],
    [5, 5, 1],
    [1, 10_000_000, 0],
  ])("says of %i clicks in %i impressions %f", (clicks, impressions, ctr) => {
    expect(reportRows([{ ...row, clicks, impressions }], ALL, BOTH)).toMatchObject([{ ctr }]);
  });

  it.each([
    [0, 0, null],
    [0, 3, 0],
    [1, 2, 0.333333],
    [5, 0, 1],
  ])("says of %i declines beside %i ends %j", (declines, endings, goOn) => {
    expect(reportRows([{ ...row, closes: 9, declines, endings }], ALL, BOTH)).toMatchObject([{ goOn }]);
  });

  it.each([
    [0, 0],
    [1, 0.000001],
    [999_999, 0.999999],
    [100_000_000_000_001, 100_000_000.000001],
  ])("says of %i micro-USD %f", (revenueMicros, revenue) => {
    expect(reportRows([{ ...row, revenueMicros }], ALL, BOTH)).toMatchObject([{ revenue }]);
  });
});

describe("CSV", () => {
  it("of nothing is the line of column names", () => {
    expect(csv(["a", "b"], [])).toBe("a,b\r\n");
  });

  it.each([
    ["plain", "plain"],
    ["", ""],
    [null, ""],
    [0, "0"],
    [-1.5, "-1.5"],
    [0.000001, "0.000001"],
    ["a,b", '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ["two\nlines", '"two\nlines"'],
    ["two\r\nlines", '"two\r\nlines"'],
    [" padded ", " padded "],
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", "'\t=1"],
    ["\r=1", '"\'\r=1"'],
    ["\n=1", '"\'\n=1"'],
    ['=HYPERLINK("x",1)', '"\'=HYPERLINK(""x"",1)"'],
    ["a=1", "a=1"],
    ["＝1+1", "'＝1+1"],
  ])("writes %j as %j", (value, text) => {
    expect(csv(["a"], [{ a: value }])).toBe(`a\r\n${text}\r\n`);
  });

  it("keeps the order of columns, and leaves a missing cell empty", () => {
    expect(csv(["b", "a", "c"], [{ a: 1, b: 2 }])).toBe("b,a,c\r\n2,1,\r\n");
  });
});
