import { expect, it } from "vitest";
import { keptRows } from "../../../db/tracking/purge.ts";
import { sharedHarness } from "../../support/harness.ts";

/**
 * Lists the tables of which no row is removed for its age, by the reason why. A new table that grows needs a line in
 * `keptRows`; any other belongs here.
 */
const WITHOUT_AGE = {
  "somebody makes and deletes them": `advertisers api_tokens offer_creatives offer_exclusions offers placements
    platform_tokens platforms public_keys publishers sites`,
  "they go with what they are of": `changed_creatives offer_paces offer_ranks partner_zone_jobs`,
  "what was counted, earned and learned stays": `creative_counters daily_counters daily_hits former_publishers
    offer_revisions offer_usage rate_advertisers`,
  "a value has one row, however many offers target it": `targeting_values`,
  "there are few": `categories leases purges rate_network rate_slots`,
  "something else removes them": `deleted_offers deletions hourly_traffic traffic_curves`,
};

it("of each table it is known how its rows go", async () => {
  const h = await sharedHarness();
  const tables = await h.rows<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  const aged = keptRows({ impressions: 1, clicks: 1, conversions: 1, rejects: 1, flushes: 1, audit: 1 });
  const others = Object.values(WITHOUT_AGE).flatMap((names) => names.split(/\s+/));
  const known = [...new Set(aged.map(({ table }) => table)), ...others];
  expect(known.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
});
