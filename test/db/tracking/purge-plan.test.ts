import { afterAll, beforeAll, expect, it } from "vitest";
import { keptRows, purgeSome } from "../../../db/tracking/purge.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

let h: Harness;

// Half of them are of decisions of the day whose first hits are removed now, and later than these.
beforeAll(async () => {
  h = await startHarness();
  await h.rows(
    `insert into events (issued_on, id, kind, outcome, occurred_at, decision_id, placement_id, offer_id, advertiser_id,
      country, gross_micros, revenue_micros)
    select (now() at time zone 'UTC')::date - 7 * (n % 2), kind || n, kind, 'counted',
      now() - interval '7 days' * (n % 2) + interval '1 second' * n, 'dec_' || n, 'plc', 'ofr', 'adv', 'US', 0, 0
    from generate_series(1, 20000) n cross join unnest(array['impression', 'click']) kind`,
  );
  await h.rows("analyze events");
});
afterAll(() => h.close());

it("old impressions are removed by an index that tells how old they are, however many others are of their day", async () => {
  const kept = keptRows({ impressions: 7, clicks: 60, conversions: 400, rejects: 30, flushes: 2, audit: 400 });
  const before = h.database.trips.length;
  await purgeSome(
    h.db,
    kept.filter(({ kind }) => kind === "impression"),
  );
  const [statement = ""] = h.database.trips.slice(before).flat();
  const plan = JSON.stringify(await h.rows(`explain (generic_plan, format json) ${statement}`));
  expect(plan).toMatch(/"Index Name":"events_removal_idx"[^{}]*"Index Cond":"[^"]*occurred_at/);
  expect(plan).not.toMatch(/"Node Type":"Seq Scan","[^{}]*"Relation Name":"events"/);
});
