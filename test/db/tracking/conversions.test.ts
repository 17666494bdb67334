import { afterAll, beforeAll, expect, it } from "vitest";
import { findReported } from "../../../db/tracking/conversions/find.ts";
import { listConversions } from "../../../db/tracking/conversions/list.ts";
import { findLeftOver, findSettled, takePending } from "../../../db/tracking/conversions/pending.ts";
import { reverseConversion } from "../../../db/tracking/conversions/reverse.ts";
import type { Conversion } from "../../../db/tracking/hits.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { makeHit } from "../../support/tracking/hits.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
  await h.rows(
    `insert into events (issued_on, id, kind, outcome, occurred_at, decision_id, placement_id, offer_id, advertiser_id,
      country, transaction_id, gross_micros, revenue_micros)
    select current_date - n % 100, kind || n, kind, 'counted', now() - interval '1 minute' * n, 'dec_' || n, 'plc', 'ofr',
      'adv_' || n % 100, 'US', case kind when 'conversion' then 't' || n end, 0, 0
    from generate_series(1, 20000) n cross join unnest(array['click', 'conversion']) kind`,
  );
  // They are kept for 400 days, of which they wait for seven.
  await h.rows(
    `insert into pending_conversions (advertiser_id, transaction_id, event_id, decision_id, offer_id, reported_at)
    select 'adv_' || n % 100, 'p' || n, 'e' || n, 'dec_p' || n, 'ofr', now() - interval '30 minutes' * n
    from generate_series(1, 20000) n`,
  );
  await h.rows("analyze events, pending_conversions, conversion_reversals");
});
afterAll(() => h.close());

const hit = makeHit();
const transaction = { advertiserId: "adv_7", transactionId: "t7" };
const conversion: Conversion = Object.assign(makeHit(), {
  kind: "conversion" as const,
  transactionId: "t",
  amountMicros: null,
  currency: null,
});

it.each<[string, () => Promise<unknown>]>([
  ["looked up", () => findReported(h.db, "adv_7", { ...hit, transactionId: "t7" })],
  ["listed", () => listConversions(h.db, "adv_7", { from: "2026-11-20", to: "2026-11-21" }, { skip: 0, take: 50 })],
  ["found by their clicks", () => findSettled(h.db, [hit, makeHit()])],
  ["looked through", () => findLeftOver(h.db)],
  ["taken", async () => takePending(h.db, [conversion])],
  ["reversed", () => reverseConversion(h.db, transaction, null)],
])("conversions are %s by index, however many events and waiting ones there are", async (_, run) => {
  const before = h.database.trips.length;
  await run();
  // Settings have no plan.
  const statements = h.database.trips
    .slice(before)
    .flat()
    .filter((statement) => !statement.startsWith("set local"));
  expect(statements.length).toBeGreaterThan(0);
  for (const statement of statements) {
    const plan = JSON.stringify(await h.rows(`explain (generic_plan, format json) ${statement}`));
    expect(plan).not.toMatch(/"Node Type":"Seq Scan","[^{}]*"Relation Name":"(?:events|pending_conversions)"/);
  }
});
