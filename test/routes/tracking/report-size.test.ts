import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GROUPS } from "../../../db/tracking/reports.ts";
import { MAX_ROWS, tooManyRows } from "../../../functions/routes/tracking/report-size.ts";
import { api, dataOf, invalid, said } from "../../support/api.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlatform } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { compact, day, range, reportPath } from "../../support/tracking/reporting.ts";

const LEAST = "reportType: makes more than 50000 rows; ask for fewer days, or for one site, placement or offer";

it.each([
  [
    "SITE",
    ["COUNTRY"],
    "DAY",
    "groupBy: makes more than 50000 rows; leave out COUNTRY, or choose WEEK or MONTH for breakdownBy",
  ],
  [
    "SITE",
    ["COUNTRY"],
    "WEEK",
    "groupBy: makes more than 50000 rows; leave out COUNTRY, or choose MONTH for breakdownBy",
  ],
  ["SITE", ["COUNTRY"], "MONTH", "groupBy: makes more than 50000 rows; leave out COUNTRY"],
  ["OFFER", ["SITE", "COUNTRY"], "NONE", "groupBy: makes more than 50000 rows; leave out COUNTRY"],
  ["TOTAL", ["PUBLISHER", "OFFER"], "NONE", "groupBy: makes more than 50000 rows; leave out OFFER"],
  ["OFFER", ["SITE", "OFFER"], "NONE", "groupBy: makes more than 50000 rows; leave out SITE"],
  ["OFFER", ["OFFER"], "DAY", "breakdownBy: makes more than 50000 rows; choose WEEK or MONTH, or ask for fewer days"],
  ["SITE", [], "WEEK", "breakdownBy: makes more than 50000 rows; choose MONTH, or ask for fewer days"],
  ["SITE", [], "MONTH", LEAST],
  ["PLACEMENT", ["PLACEMENT"], "NONE", LEAST],
] as const)("advises what is left to do of %s, split by %j and %s", (reportType, groupBy, breakdownBy, problem) => {
  expect(tooManyRows({ reportType, groupBy, breakdownBy })).toBe(problem);
});

it.each(GROUPS)("advises to leave out %s", (group) => {
  const problem = `groupBy: makes more than ${MAX_ROWS} rows; leave out ${group}`;
  expect(tooManyRows({ reportType: "TOTAL", groupBy: [group], breakdownBy: "NONE" })).toBe(problem);
});

describe("one row more than a report may have is refused, and as many as it may have are answered", () => {
  let h: Harness;
  beforeAll(async () => {
    h = await startHarness();
  });
  afterAll(() => h.close());

  it("GET /api/report", async () => {
    const { publisher, site, placement } = await makeInventory(h.db);
    await h.rows(
      `insert into daily_counters (day, placement_id, offer_id, advertiser_id, country, site_id, publisher_id, impressions)
      select $1, $2, 'ofr_' || n, '', 'US', $3, $4, 1 from generate_series(0, $5::int) n`,
      [day(), placement.id, site.id, publisher.id, MAX_ROWS],
    );
    const path = reportPath({ ...range(day()), reportType: "TOTAL", groupBy: "OFFER" });
    const ask = () => api(h, "GET", path, { token: publisher.privateKey });
    const problem = "groupBy: makes more than 50000 rows; leave out OFFER";
    expect(said(await ask())).toEqual(invalid(problem));
    await h.rows("delete from daily_counters where placement_id = $1 and offer_id = 'ofr_0'", [placement.id]);
    const rows = dataOf<{ impressions: number }[]>(await ask());
    expect(rows.reduce((sum, { impressions }) => sum + impressions, 0)).toBe(MAX_ROWS);
  });

  it("GET /api/v1/hits", async () => {
    const platform = await makePlatform(h.db);
    const advertiser = await makeAdvertiser(h.db, { platformId: platform.id });
    const { id } = await makeOffer(h.db, advertiser.id);
    await h.rows(
      `insert into daily_hits (day, placement_id, offer_id, kind, outcome, country, hits)
      select $1, 'plc_' || n, $2, 'click', 'counted', 'US', 1 from generate_series(0, $3::int) n`,
      [day(), id, MAX_ROWS],
    );
    const today = compact(day());
    const ask = () => api(h, "GET", `/api/v1/hits?dateStart=${today}&dateEnd=${today}`, { token: platform.token });
    const problem = "offerId: is needed, or placementId, for more than 50000 rows";
    expect(said(await ask())).toEqual(invalid(problem));
    await h.rows("delete from daily_hits where offer_id = $1 and placement_id = 'plc_0'", [id]);
    expect(dataOf<object[]>(await ask())).toHaveLength(MAX_ROWS);
  });
});
