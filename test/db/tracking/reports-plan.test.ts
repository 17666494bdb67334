import { afterAll, beforeAll, expect, it } from "vitest";
import type { Actor } from "../../../db/accounts/actor.ts";
import { readExperiment } from "../../../db/tracking/experiments.ts";
import { readReport } from "../../../db/tracking/reports.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
const platform: Actor = { kind: "platform", platformId: "pfm_7" };

// Each of 40 platforms has 25 publishers of two placements.
beforeAll(async () => {
  h = await startHarness();
  await h.rows("insert into platforms (id, name) select 'pfm_' || n, n from generate_series(0, 39) n");
  await h.rows(
    `insert into publishers (id, platform_id, name, contact_name, contact_email)
    select 'pub_' || n, 'pfm_' || n % 40, n, n, n || '@shop.example' from generate_series(1, 1000) n`,
  );
  await h.rows(
    `insert into daily_counters (day, placement_id, offer_id, advertiser_id, country, site_id, publisher_id, requests)
    select current_date - day, 'plc_' || n, '', '', 'US', 'site_' || n, 'pub_' || 1 + n % 1000, 1
    from generate_series(1, 2000) n cross join generate_series(0, 29) day`,
  );
  await h.rows(
    `insert into daily_parts (publisher_id, day, arm, part, requests)
    select 'pub_' || n, current_date - day, '0', part, 1
    from generate_series(1, 1000) n cross join generate_series(0, 29) day cross join generate_series(0, 1) part`,
  );
  await h.rows("analyze platforms, publishers, daily_counters, daily_parts");
});
afterAll(() => h.close());

const days = { from: "2020-01-01", to: "2030-01-01" };

it.each<[string, () => Promise<unknown>]>([
  ["report", () => readReport(h.db, platform, { ...days, groups: ["PLACEMENT"], breakdown: "NONE" }, 1_001)],
  ["report by day", () => readReport(h.db, platform, { ...days, groups: ["PLACEMENT"], breakdown: "DAY" }, 1_001)],
  ["report by creative", () => readReport(h.db, platform, { ...days, groups: ["CREATIVE"], breakdown: "NONE" }, 1_001)],
  ["experiment", () => readExperiment(h.db, platform, { ...days, learned: "1", holdout: "0" })],
])("a platform's %s reads the counters of its publishers by index, however many others have", async (_, read) => {
  const before = h.database.trips.length;
  await read();
  const statements = h.database.trips.slice(before).flat();
  const counting = statements.filter((statement) => / daily_(?:counters|parts)\b/.test(statement));
  expect(counting.length).toBeGreaterThan(0);
  for (const statement of counting) {
    const plan = JSON.stringify(await h.rows(`explain (generic_plan, format json) ${statement}`));
    expect(plan).toMatch(/"Index Name":"daily_(?:counters_publisher_idx|parts_key)"/);
    expect(plan).not.toMatch(/"Node Type":"Seq Scan","[^{}]*"Relation Name":"daily_(?:counters|parts)"/);
    expect(plan).not.toContain("daily_counters_placement_idx");
  }
});
