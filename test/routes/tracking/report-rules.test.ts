import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { invalid, said } from "../../support/api.ts";
import { makeInventory } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { compact, day, range, reporting, type Asked } from "../../support/tracking/reporting.ts";

let h: Harness;
const { ask, count, csv, rows } = reporting(() => h);

beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

describe("the parameters", () => {
  const dates = range(day(-1), day());
  const GROUPS = "PLACEMENT, SITE, COUNTRY, PUBLISHER, OFFER, ADVERTISER, ARM, CREATIVE";
  const cases: [name: string, asked: Asked, ...problems: string[]][] = [
    ["nothing", {}, "dateStart: is required, as YYYYMMDD", "dateEnd: is required, as YYYYMMDD"],
    ["another form", { ...dates, dateStart: day() }, "dateStart: must be a day as YYYYMMDD"],
    ["a day that is none", { ...dates, dateEnd: "20260230" }, "dateEnd: must be a day as YYYYMMDD"],
    ["a reversed range", range(day(), day(-1)), "dateEnd: must not be before dateStart"],
    ["a range without end", { ...dates, dateEnd: "99991231" }, "dateEnd: must be at most 400 days after dateStart"],
    ["181 days back", range(day(-181), day()), "dateStart: must be at most 180 days back"],
    ["two starts", { ...dates, dateStart: [compact(day()), compact(day())] }, "dateStart: must be given once"],
    ["two offers", { ...dates, offerId: ["ofr_1", "ofr_2"] }, "offerId: must be given once"],
    ["two countries", { ...dates, country: ["DE", "FR"] }, "country: must be given once"],
    ["two types", { ...dates, reportType: ["OFFER", "SITE"] }, "reportType: must be given once"],
    ["an unknown type", { ...dates, reportType: "DAY" }, `reportType: must be one of ${GROUPS}, TOTAL`],
    ["an unknown group", { ...dates, groupBy: "DAY" }, `groupBy.0: must be one of ${GROUPS}`],
    ["one unknown group of two", { ...dates, groupBy: ["SITE", "site"] }, `groupBy.1: must be one of ${GROUPS}`],
    ["an unknown breakdown", { ...dates, breakdownBy: "YEAR" }, "breakdownBy: must be one of DAY, WEEK, MONTH, NONE"],
    ["a blank placement", { ...dates, placementId: "" }, "placementId: must not be empty"],
    ["a blank offer", { ...dates, offerId: " " }, "offerId: must not be empty"],
    [
      "a country that is none",
      { ...dates, country: "XQ" },
      "country: must be a two-letter ISO 3166-1 country code, or ZZ",
    ],
    [
      "a country of other letters",
      { ...dates, country: "ß" },
      "country: must be a two-letter ISO 3166-1 country code, or ZZ",
    ],
    ["another word for yes", { ...dates, fill: "yes" }, "fill: must be true or false"],
    ["two sites", { ...dates, siteId: ["a", "b"] }, "siteId: must be given once"],
  ];

  it.each(cases)("are refused with %s", async (_, asked, ...problems) => {
    const { publisher } = await makeInventory(h.db);
    expect(said(await ask(publisher.privateKey, asked))).toEqual(invalid(...problems));
  });

  it("admit 180 days back, today and days to come", async () => {
    const { publisher, placement } = await makeInventory(h.db);
    for (const offset of [-180, 0, 1]) await count(placement.id, { day: day(offset), clicks: 1 });
    const clicks = async (from: number, to: number) =>
      (await rows(publisher.privateKey, range(day(from), day(to)))).map((row) => row["clicks"]);
    expect(await clicks(-180, 30)).toEqual([3]);
    expect(await clicks(-180, -180)).toEqual([1]);
    expect(await clicks(-179, -1)).toEqual([]);
    expect(await clicks(0, 0)).toEqual([1]);
  });
});

describe("CSV", () => {
  it("of 50,000 rows is answered, and one more is too much", async () => {
    const { publisher, placement } = await makeInventory(h.db);
    await h.rows(
      `insert into daily_counters (day, placement_id, offer_id, advertiser_id, country, publisher_id, clicks)
       select (now() at time zone 'UTC')::date - d, $1, '', '', chr(65 + n / 26) || chr(65 + n % 26), $2, 1
       from generate_series(0, 99) d, generate_series(0, 499) n`,
      [placement.id, publisher.id],
    );
    const asked = { ...range(day(-100), day()), groupBy: "COUNTRY", breakdownBy: "DAY" };
    expect((await csv(publisher.privateKey, asked)).text.split("\r\n")).toHaveLength(50_002);
    await count(placement.id, { country: "0Z" });
    const problem = "groupBy: makes more than 50000 rows; leave out COUNTRY, or choose WEEK or MONTH for breakdownBy";
    expect(said(await ask(publisher.privateKey, asked))).toEqual(invalid(problem));
    expect((await csv(publisher.privateKey, asked)).status).toBe(400);
    expect(await rows(publisher.privateKey, { ...asked, groupBy: [] })).toHaveLength(100);
    const filled = { ...asked, ...range(day(-99), day()), fill: "true" };
    expect(said(await ask(publisher.privateKey, filled))).toEqual(invalid(problem));
    expect(await rows(publisher.privateKey, { ...asked, breakdownBy: "NONE" })).toHaveLength(501);
  });
});
