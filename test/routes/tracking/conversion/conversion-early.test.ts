import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { updateOffer } from "../../../../db/demand/offers.ts";
import { awaitClick } from "../../../../db/tracking/conversions/pending.ts";
import { recordHits } from "../../../../db/tracking/recording/events.ts";
import { newId } from "../../../../db/core/ids.ts";
import { timestamp } from "../../../support/api.ts";
import { makeReport, makeReporter, reported, stands, type Reporter } from "../../../support/tracking/conversions.ts";
import { makeInventory } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { expectExactCounts, hitsOf, makeHit, message } from "../../../support/tracking/hits.ts";

let h: Harness;
let reporter: Reporter;

beforeAll(async () => {
  h = await startHarness();
  reporter = await makeReporter(h);
});
afterAll(() => h.close());

const waiting = (offerId: string) => h.count("pending_conversions where offer_id = $1", [offerId]);
const grow = (transactionId: string) =>
  h.rows("update pending_conversions set reported_at = reported_at - interval '7 days' where transaction_id = $1", [
    transactionId,
  ]);

/** Does what a report does that ends before it looks for its click again. */
const leaveWaiting = ({ click, fields }: ReturnType<typeof makeReport>) =>
  awaitClick(h.db, {
    decisionId: click.decisionId,
    offerId: click.offerId,
    transactionId: fields.transactionId,
    currency: fields.currency,
    id: newId("event"),
    advertiserId: reporter.id,
    amountMicros: 5_000_000,
    occurredAt: Date.now(),
  });

describe("a conversion that comes before its click", () => {
  it("waits for it, and counts when it arrives, as it was when it was reported", async () => {
    const { id } = await reporter.offer();
    const { placement } = await makeInventory(h.db);
    const shown = { country: "DE", sessionHash: "a-session", placementId: placement.id };
    const { click, fields } = makeReport(id, shown);
    expect(await reporter.report(fields)).toEqual(reported("pending"));
    expect(await reporter.outcome(fields.transactionId)).toEqual([
      200,
      {
        success: true,
        data: {
          ...fields,
          offerId: id,
          state: "pending",
          reportedAt: timestamp,
          gross: 0,
          reversedAt: null,
          reason: null,
        },
      },
    ]);
    await h.deliver([message(makeHit({ offerId: id })), message(click)]);
    expect(await reporter.outcome(fields.transactionId)).toEqual(stands("counted", { gross: 1, amount: 20 }));
    const stored = "select country, session_hash, amount_micros::int as amount from events where transaction_id = $1";
    expect(await h.rows(stored, [fields.transactionId])).toEqual([
      { country: "DE", session_hash: "a-session", amount: 20_000_000 },
    ]);
    expect(await waiting(id)).toBe(0);
    await h.deliver([message(click)]);
    expect(await hitsOf(h, id)).toEqual(["click counted 2", "conversion counted 1"]);
    await expectExactCounts(h);
  });

  it("may be reported again while it waits and afterwards, and counts once", async () => {
    const { id } = await reporter.offer();
    const { click, fields } = makeReport(id);
    for (let i = 0; i < 3; i++) expect(await reporter.report(fields)).toEqual(reported("pending"));
    await h.deliver([message(click)]);
    expect(await reporter.report(fields)).toEqual(reported("counted", false));
    expect(await hitsOf(h, id)).toEqual(["click counted 1", "conversion counted 1", "conversion duplicate 1"]);
  });

  it("is counted by its own report when that finds the click first", async () => {
    const { id } = await reporter.offer();
    const { click, fields } = makeReport(id);
    await reporter.report(fields);
    await h.rows("alter table pending_conversions rename column decision_id to hidden");
    const delivered = await h.deliver([message(click)]);
    await h.rows("alter table pending_conversions rename column hidden to decision_id");
    // The click is stored although the work after it failed, and the message comes again.
    expect(delivered).toMatchObject({ ackAll: false, retryBatch: { retry: true } });
    expect(await reporter.report(fields)).toEqual(reported("counted"));
    await h.deliver([message(click)]);
    expect(await hitsOf(h, id)).toEqual(["click counted 1", "conversion counted 1"]);
    expect(await waiting(id)).toBe(0);
  });

  it("costs what the revision says that was shown", async () => {
    const { id } = await reporter.offer();
    const { click, fields } = makeReport(id);
    await reporter.report(fields);
    await updateOffer(h.db, { kind: "admin" }, id, { bidMicros: 9_000_000 });
    await h.deliver([message(click)]);
    expect(await reporter.outcome(fields.transactionId)).toEqual(stands("counted", { gross: 1 }));
  });

  it("is paid for within the caps only", async () => {
    const { id } = await reporter.offer({ lifetimeCap: 2 });
    const reports = Array.from({ length: 5 }, () => makeReport(id));
    for (const { fields } of reports) await reporter.report(fields);
    await h.deliver(reports.map(({ click }) => message(click)));
    expect(await hitsOf(h, id)).toEqual(["click counted 5", "conversion counted 2", "conversion over_cap 3"]);
    await expectExactCounts(h);
  });

  it("does not take a bot's click for the customer's", async () => {
    const { id } = await reporter.offer();
    const { click, fields } = makeReport(id);
    await h.deliver([message({ ...click, id: newId("event"), reason: "bot" })]);
    expect(await reporter.report(fields)).toEqual(reported("pending"));
    await h.deliver([message({ ...click, id: newId("event"), reason: "bot" })]);
    expect(await reporter.outcome(fields.transactionId)).toEqual(stands("pending"));
    await h.deliver([message(click)]);
    expect(await reporter.outcome(fields.transactionId)).toEqual(stands("counted"));
  });

  it("expires after seven days; reported again, it waits again", async () => {
    const { id } = await reporter.offer();
    const { click, fields } = makeReport(id);
    await reporter.report(fields);
    await grow(fields.transactionId);
    expect(await reporter.outcome(fields.transactionId)).toEqual(stands("expired"));
    await h.deliver([message(click)]);
    expect(await reporter.outcome(fields.transactionId)).toEqual(stands("expired"));
    expect(await reporter.report(fields)).toEqual(reported("counted"));
    const other = makeReport(id);
    await reporter.report(other.fields);
    await grow(other.fields.transactionId);
    expect(await reporter.report(other.fields)).toEqual(reported("pending"));
    await h.deliver([message(other.click)]);
    expect(await reporter.outcome(other.fields.transactionId)).toEqual(stands("counted"));
    expect(await waiting(id)).toBe(0);
    await expectExactCounts(h);
  });

  it("is settled by the cron when its report ended too early to look again", async () => {
    const { id } = await reporter.offer({ lifetimeCap: 600 });
    const reports = Array.from({ length: 600 }, () => makeReport(id));
    const never = makeReport(id);
    await recordHits(
      h.db,
      reports.map(({ click }) => click),
    );
    for (const report of [...reports, never]) await leaveWaiting(report);
    await h.cron();
    expect(await hitsOf(h, id)).toEqual(["click counted 600", "conversion counted 600"]);
    expect(await waiting(id)).toBe(1);
    expect(await h.rows("select * from publish_outbox where document_key = 'network'")).toEqual([]);
    await expectExactCounts(h);
  });

  it("is settled by the cron in the course of its runs, however many others wait in vain before it", async () => {
    const { id } = await reporter.offer();
    const report = makeReport(id);
    await recordHits(h.db, [report.click]);
    await leaveWaiting(report);
    await h.rows(
      `insert into pending_conversions (advertiser_id, transaction_id, event_id, decision_id, offer_id, reported_at)
      select $1, 'a' || n, 'e' || n, left($2, -6) || lpad(n::text, 6, '0'), 'ofr', now() - interval '1 hour'
      from generate_series(1, 30000) n`,
      [reporter.id, newId("decision")],
    );
    const hitsAfterRun = async () => {
      await h.cron();
      return hitsOf(h, id);
    };
    await h.until(hitsAfterRun, (hits) => hits.includes("conversion counted 1"));
    expect(await waiting(id)).toBe(0);
    expect(await waiting("ofr")).toBe(30_000);
    await h.rows("delete from pending_conversions where offer_id = 'ofr'");
    await expectExactCounts(h);
  });
});

describe("a known transaction", () => {
  it.each([
    ["amount", { amount: 21 }],
    ["amount", { amount: undefined }],
    ["currency", { currency: "USD" }],
  ])("cannot have another %s: %j", async (field, change) => {
    const { id } = await reporter.offer();
    const early = makeReport(id);
    const settled = makeReport(id);
    await h.deliver([message(settled.click)]);
    for (const { fields } of [early, settled]) {
      await reporter.report(fields);
      const { transactionId } = fields;
      expect(await reporter.report({ ...fields, ...change })).toEqual([
        409,
        {
          success: false,
          error: { code: "CONFLICT", message: expect.any(String), details: { transactionId, changed: [field] } },
        },
      ]);
    }
    await h.deliver([message(early.click)]);
    expect(await hitsOf(h, id)).toEqual(["click counted 2", "conversion counted 2"]);
  });

  it("cannot have another click, stored or not", async () => {
    const { id } = await reporter.offer();
    const [first, second, third] = [makeReport(id), makeReport(id), makeReport(id)];
    await h.deliver([message(first.click), message(second.click)]);
    expect(await reporter.report(first.fields)).toEqual(reported("counted"));
    for (const { clickId } of [second.fields, third.fields]) {
      expect(await reporter.report({ ...first.fields, clickId })).toMatchObject([
        409,
        { error: { code: "CONFLICT", details: { changed: ["clickId"] } } },
      ]);
    }
  });

  it("may be repeated when its click is too old for a new one", async () => {
    const { id } = await reporter.offer();
    const { click, fields } = makeReport(id);
    await recordHits(h.db, [click]);
    await reporter.report(fields);
    await h.rows("update events set occurred_at = occurred_at - interval '31 days' where id = $1", [click.id]);
    expect(await reporter.report(fields)).toEqual(reported("counted", false));
    expect(await reporter.report({ ...fields, transactionId: newId("event") })).toMatchObject([
      410,
      { error: { code: "CLICK_EXPIRED" } },
    ]);
  });
});
