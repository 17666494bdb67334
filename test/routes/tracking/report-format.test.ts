import { beforeAll, describe, expect, it } from "vitest";
import type { ReportQuery, ReportRow } from "../../../db/tracking/reports.ts";
import { NOTHING, reportRowOf } from "../../../functions/routes/tracking/report-format.ts";
import { makeInventory, makePlacement } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";
import { ALL as COUNTED, day, range, reporting, reportPath } from "../../support/tracking/reporting.ts";

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

describe("CSV", () => {
  let h: Harness;
  const { count, csv, grant, rows } = reporting(() => h);
  beforeAll(async () => {
    h = await sharedHarness();
  });

  const COLUMNS = "requests,fills,impressions,viewable,clicks,closes,declines,conversions,transactions,ctr,goOn";

  it("has its line of names without rows too, and comes by Accept", async () => {
    const { publisher } = await makeInventory(h.db);
    const type = "text/csv; charset=utf-8";
    for (const accept of ["text/csv", "application/xml, TEXT/CSV;q=0.9", "application/json, text/csv"]) {
      const text = `placementId,placementName,${COLUMNS},revenue\r\n`;
      expect(await csv(publisher.privateKey, {}, accept)).toEqual({ status: 200, type, text });
    }
    for (const accept of ["application/json", "*/*", "text/csvx", "application/json, text/csv;q=0.1", "text/csv;q=0"]) {
      expect((await csv(publisher.privateKey, {}, accept)).type).toBe("application/json");
    }
    await grant(publisher.id, false, true);
    const { text } = await csv(publisher.privateKey, { reportType: "SITE", groupBy: "COUNTRY", breakdownBy: "DAY" });
    expect(text).toBe(`date,siteId,siteName,country,${COLUMNS},gross,profit\r\n`);
    expect(await csv(publisher.privateKey, { dateEnd: "x" })).toMatchObject({ status: 400, type: "application/json" });
  });

  it("is saved as a file with its days in its name", async () => {
    const { publisher } = await makeInventory(h.db);
    const headers = { authorization: `Bearer ${publisher.privateKey}`, accept: "text/csv" };
    const answer = await h.fetch(reportPath(range(day(-3), day())), { headers });
    const name = `report-${day(-3)}-${day()}.csv`;
    expect([answer.status, answer.headers.get("content-disposition")]).toEqual([200, `attachment; filename="${name}"`]);
  });

  it("quotes names, keeps formulas texts, and agrees with JSON", async () => {
    const { publisher, site } = await makeInventory(h.db);
    const names = ['Say "hi", you', "=1+1", "two\nlines", "plain"];
    for (const name of names) await count((await makePlacement(h.db, site.id, { name })).id, COUNTED);
    const { text } = await csv(publisher.privateKey, {});
    const json = await rows(publisher.privateKey, {});
    const written = new Map(['"Say ""hi"", you"', "'=1+1", '"two\nlines"', "plain"].map((name, i) => [names[i], name]));
    const cells = json.map((shown) => Object.values(shown).map((value) => written.get(String(value)) ?? value));
    const lines = [Object.keys(json[0] ?? {}), ...cells];
    expect(text).toBe(lines.map((line) => `${line.join(",")}\r\n`).join(""));
  });
});
