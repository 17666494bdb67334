import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../db/core/ids.ts";
import { recordHits } from "../../db/tracking/recording/events.ts";
import { purgeOldRows } from "../../functions/events/removing.ts";
import { makeReport, makeReporter, reported } from "../support/tracking/conversions.ts";
import { makeAdvertiser, makeInventory, makeOffer } from "../support/factories.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { SECRETS } from "../support/secrets.ts";
import { countsOf, DAY, hitsOf, idAt, makeHit } from "../support/tracking/hits.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
beforeEach(() => h.rows("truncate purges"));
afterAll(() => h.close());

const HOUR = DAY / 24;

const insertEvent = (kind: string, transaction: string) =>
  `insert into events (issued_on, id, kind, outcome, occurred_at, decision_id, placement_id, offer_id, advertiser_id, country,
    transaction_id, gross_micros, revenue_micros)
  values (($2::timestamptz at time zone 'UTC')::date, $1 || '${kind}', '${kind}', 'counted', $2, $1, 'p', 'o', 'a', 'US', ${transaction}, 0, 0)`;
const insertAudit = (table: string, columns = "", values = "") =>
  `insert into ${table} (id, publisher_id, source, event_type, payload, before, after, created_at${columns})
  values ($1, 'unchecked', 's', 't', '{}', '{}', '{}', $2${values})`;

/** Inserts a row of an age into a table. Triggers ask for what is above an audit record, so they are off. */
const TABLES: [table: string, days: number, insert: string][] = [
  ["events where kind = 'impression'", 7, insertEvent("impression", "null")],
  ["events where kind = 'viewable'", 7, insertEvent("viewable", "null")],
  ["events where kind = 'close'", 7, insertEvent("close", "null")],
  ["events where kind = 'click'", 60, insertEvent("click", "null")],
  ["events where kind = 'conversion'", 400, insertEvent("conversion", "$1")],
  ["pending_conversions", 400, "insert into pending_conversions values ('a', $1, $1, 'd', 'o', null, null, $2)"],
  ["conversion_reversals", 400, "insert into conversion_reversals values ('a', $1, null, $2)"],
  ["tracking_rejects", 30, "insert into tracking_rejects (id, reason, body, created_at) values ($1, 'r', '{}', $2)"],
  ["recent_billings", 2, "insert into recent_billings values ('o', 'click', $1, $2, $2)"],
  ["recent_lessons", 2, "insert into recent_lessons values ('p', 'o', $1, 'd', $2)"],
  ["counted_repeats", 30, "insert into counted_repeats values ($1, $2)"],
  ["request_flushes", 2, "insert into request_flushes values ($1, $2)"],
  ["hourly_requests", 400, "insert into hourly_requests values ($2, $1, 'US', '', '0', 1)"],
  [
    "audit_log",
    400,
    `insert into audit_log (id, actor_kind, resource_kind, resource_id, action, request_id, created_at)
    values ($1, 'admin', 'site', 's', 'create', 'r', $2)`,
  ],
  ["request_facts", 400, "insert into request_facts (placement_id, hour, country, count) values ($1, $2, 'US', 1)"],
  ["webhook_events", 400, insertAudit("webhook_events")],
  ["webhook_logs", 400, insertAudit("webhook_logs", ", site_id", ", 'unchecked'")],
];

describe("the cron removes rows", () => {
  it.each(TABLES)("of %s that are %i days old, and leaves the others", async (table, days, insert) => {
    const limit = Date.now() - days * DAY;
    const unchecked = /webhook_\w+/.exec(table)?.[0];
    if (unchecked) await h.rows(`alter table ${unchecked} disable trigger user`);
    await h.rows(insert, ["old", new Date(limit - HOUR)]);
    await h.rows(insert, ["kept", new Date(limit + HOUR)]);
    await h.cron();
    const rows = await h.rows(`select * from ${table}`);
    expect(rows).toHaveLength(1);
    expect(Object.values(rows[0] ?? {})).toContain("kept");
  });

  it.each([
    ["rate_cells", "placement_id", "(placement_id, country, serial, creative, folded_on) values ($1, 'US', 1, 1, $2)"],
    ["rate_places", "placement_id", "(placement_id, country, folded_on) values ($1, 'US', $2)"],
    [
      "rate_offers",
      "offer_id",
      "(offer_id, advertiser_click_rate, advertiser_conversion_rate, folded_on) values ($1, 0, 0, $2)",
    ],
  ])("of %s to which nothing was added for 400 days", async (table, id, row) => {
    await h.rows(`insert into ${table} ${row}`, ["old", new Date(Date.now() - 402 * DAY)]);
    await h.rows(`insert into ${table} ${row}`, ["kept", new Date(Date.now() - 398 * DAY)]);
    await h.cron();
    expect(await h.rows(`select ${id} as id from ${table} where ${id} in ('old', 'kept')`)).toEqual([{ id: "kept" }]);
  });

  it("of how arms differ by chance after 200 days, which is longer than reports reach back", async () => {
    const insert = `insert into daily_parts (publisher_id, day, arm, part)
      values ($1, (now() at time zone 'UTC')::date - $2::int, '0', 0)`;
    await h.rows(insert, ["old", 202]);
    await h.rows(insert, ["kept", 198]);
    await h.cron();
    expect(await h.rows("select publisher_id from daily_parts")).toEqual([{ publisher_id: "kept" }]);
  });

  it("of clicks by the day after 60 days, which is longer than conversions are waited for", async () => {
    const insert =
      "insert into rate_clicks (offer_id, day, clicks) values ($1, (now() at time zone 'UTC')::date - $2::int, 1)";
    await h.rows(insert, ["old", 62]);
    await h.rows(insert, ["kept", 58]);
    await h.cron();
    expect(await h.rows("select offer_id from rate_clicks")).toEqual([{ offer_id: "kept" }]);
  });

  it("of the outbox only after 400 days, whatever keeps them from being published", async () => {
    // A version that is gone may have named a document that this one does not know.
    const insert =
      "insert into publish_outbox (document_key, created_at) values ('unknown:' || $1::int, now() - make_interval(days => $1))";
    await h.rows(insert, [399]);
    await h.rows(insert, [401]);
    await h.cron();
    expect(await h.rows("select document_key from publish_outbox where document_key like 'unknown:%'")).toEqual([
      { document_key: "unknown:399" },
    ]);
  });

  it("in bounded chunks of each table, until none is left", async () => {
    const old = "now() - interval '500 days' from generate_series(1, 12000) n";
    await h.rows(`insert into counted_repeats select 'r' || n, ${old}`);
    await h.rows(`insert into request_flushes select 'f' || n, ${old}`);
    const left = () =>
      Promise.all(
        ["counted_repeats where id like 'r%'", "request_flushes where id like 'f%'"].map((query) => h.count(query)),
      );
    let chunks = 1;
    await purgeOldRows(await h.env(), () => chunks-- > 0);
    expect(await left()).toEqual([7_000, 7_000]);
    await h.cron();
    expect(await left()).toEqual([0, 0]);
  });

  it("after as many days as the settings say", async () => {
    const other = await startHarness({ vars: { KEEP_IMPRESSIONS_DAYS: "3", KEEP_REJECTS_DAYS: "90" } });
    try {
      await other.rows(insertEvent("close", "null"), ["gone", new Date(Date.now() - 4 * DAY)]);
      await other.rows(insertEvent("close", "null"), ["kept", new Date(Date.now() - 2 * DAY)]);
      await other.rows("insert into tracking_rejects (id, reason, body, created_at) values ('r', 'r', '{}', $1)", [
        new Date(Date.now() - 80 * DAY),
      ]);
      await other.cron();
      expect(await other.rows("select decision_id from events")).toEqual([{ decision_id: "kept" }]);
      expect(await other.rows("select id from tracking_rejects")).toEqual([{ id: "r" }]);
    } finally {
      await other.close();
    }
  });
});

/** Records a hit of some days ago, and makes its row of recent billings as old. */
const record = async (offerId: string, daysAgo: number, more: Parameters<typeof makeHit>[0] = {}) => {
  const occurredAt = Date.now() - daysAgo * DAY;
  const hit = makeHit({ offerId, decisionId: idAt("decision", occurredAt - 1_000), occurredAt, ...more });
  await recordHits(h.db, [hit]);
  return hit;
};

describe("what was removed", () => {
  it("stays in the counters, and its offer is archived by a deletion, not deleted", async () => {
    const { id: advertiserId } = await makeAdvertiser(h.db);
    const { id } = await makeOffer(h.db, advertiserId, { pricing: "CPM", bidMicros: 1_000_000 });
    await record(id, 8, { kind: "impression" });
    const counts = await countsOf(h, id);
    expect(counts).toMatchObject([{ impressions: 1, gross: 1_000 }]);
    await h.cron();
    expect(await h.rows("select from events where offer_id = $1", [id])).toEqual([]);
    expect(await countsOf(h, id)).toEqual(counts);
    const { status } = await h.fetch(`/api/v1/offers/${id}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${SECRETS.ADMIN_TOKEN}` },
    });
    expect(status).toBe(200);
    expect(await h.rows("select status from offers where id = $1", [id])).toEqual([{ status: "archived" }]);
  });

  it("is not billed again when it comes again, nor is what nobody can tell from it", async () => {
    const { id } = await makeOffer(h.db, (await makeAdvertiser(h.db)).id, { pricing: "CPM", bidMicros: 1_000_000 });
    const hit = await record(id, 8, { kind: "impression" });
    await h.cron();
    await recordHits(h.db, [hit]);
    await record(id, 7.5, { kind: "impression" });
    await record(id, 1, { kind: "impression" });
    expect(await hitsOf(h, id)).toEqual(["impression counted 2", "impression expired 2"]);
    expect(await countsOf(h, id)).toMatchObject([{ gross: 1_000 }, { gross: 1_000 }]);
  });
});

const makeShown = async () => {
  const { placement } = await makeInventory(h.db);
  const { id } = await makeOffer(h.db, (await makeAdvertiser(h.db)).id, {});
  return { id, placementId: placement.id };
};

describe("a hit that comes days late", () => {
  it("is not billed where its session was billed at that time, and is where it was not", async () => {
    const { id, placementId } = await makeShown();
    const session = { placementId, sessionHash: newId("event") };
    await record(id, 4, session);
    await h.cron();
    expect(await h.rows("select from recent_billings where offer_id = $1", [id])).toEqual([]);
    await record(id, 3.5, session);
    expect(await hitsOf(h, id)).toEqual(["click counted 1", "click repeated 1"]);
    await record(id, 2.5, session);
    await record(id, 3.5, { placementId, sessionHash: newId("event") });
    expect(await hitsOf(h, id)).toEqual(["click counted 3", "click repeated 1"]);
    // Another publisher may have a session of the same name.
    await record(id, 3.5, { ...session, placementId: (await makeInventory(h.db)).placement.id });
    expect(await hitsOf(h, id)).toEqual(["click counted 4", "click repeated 1"]);
  });

  it("is not billed without a session, by which nobody can tell", async () => {
    const { id, placementId } = await makeShown();
    await record(id, 3, { placementId, addressHash: "an address range" });
    await record(id, 0.5, { placementId, addressHash: "an address range" });
    expect(await hitsOf(h, id)).toEqual(["click counted 1", "click repeated 1"]);
  });
});

describe("what is still needed stays", () => {
  it("a click, for all the time in which a conversion of it may come", async () => {
    const reporter = await makeReporter(h);
    const { id } = await reporter.offer();
    const occurredAt = Date.now() - 29 * DAY;
    const issued = idAt("decision", occurredAt - 29 * DAY);
    const { click, fields } = makeReport(id, { occurredAt, decisionId: issued, issuedAt: occurredAt - 29 * DAY });
    await recordHits(h.db, [click]);
    await h.cron();
    expect(await reporter.report(fields)).toEqual(reported("counted"));
  });

  it("a conversion that waits for its click", async () => {
    const reporter = await makeReporter(h);
    const { id } = await reporter.offer();
    const { click, fields } = makeReport(id);
    expect(await reporter.report(fields)).toEqual(reported("pending"));
    await h.rows("update pending_conversions set reported_at = $2 where transaction_id = $1", [
      fields.transactionId,
      new Date(Date.now() - 6 * DAY),
    ]);
    await h.cron();
    await recordHits(h.db, [click]);
    expect(await h.rows("select outcome from events where transaction_id = $1", [fields.transactionId])).toEqual([
      { outcome: "counted" },
    ]);
  });
});
