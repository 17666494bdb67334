import { describe, expect, it } from "vitest";
import type { ReportQuery, ReportRow } from "../../../db/tracking/reports.ts";
import { NOTHING, reportRowOf } from "../../../functions/routes/tracking/report-format.ts";

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
    const shown = reportRowOf(ALL, BOTH)(row);
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
    const shown = reportRowOf({ ...DAYS, breakdown: "NONE", groups: ["COUNTRY"] }, access)(row);
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
    const shown = reportRowOf({ ...DAYS, breakdown: "NONE", groups: [], ...asked }, BOTH)(row);
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
    expect(reportRowOf(ALL, BOTH)({ ...row, clicks, impressions })).toMatchObject({ ctr });
  });

  it.each([
    [0, 0, null],
    [0, 3, 0],
    [1, 2, 0.333333],
    [5, 0, 1],
  ])("says of %i declines beside %i ends %j", (declines, endings, goOn) => {
    expect(reportRowOf(ALL, BOTH)({ ...row, closes: 9, declines, endings })).toMatchObject({ goOn });
  });

  it.each([
    [0, 0],
    [1, 0.000001],
    [999_999, 0.999999],
    [100_000_000_000_001, 100_000_000.000001],
  ])("says of %i micro-USD %f", (revenueMicros, revenue) => {
    expect(reportRowOf(ALL, BOTH)({ ...row, revenueMicros })).toMatchObject({ revenue });
  });
});
