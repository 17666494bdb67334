import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { updateOffer } from "../../../../db/demand/offers.ts";
import { newId } from "../../../../db/core/ids.ts";

import { recordHits } from "../../../../db/tracking/recording/events.ts";
import type { Conversion } from "../../../../db/tracking/hits.ts";
import { api, dataOf, timestamp } from "../../../support/api.ts";
import { askOffers } from "../../../support/ask-offers.ts";
import { dayText, makeReport, makeReporter, reported, type Reporter } from "../../../support/tracking/conversions.ts";
import { makeInventory } from "../../../support/factories.ts";
import { SECRETS } from "../../../support/secrets.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { countsOf, DAY, expectExactCounts, hitsOf, makeHit, message } from "../../../support/tracking/hits.ts";

const ADMIN = { kind: "admin" } as const;

let h: Harness;
let reporter: Reporter;

beforeAll(async () => {
  h = await startHarness();
  reporter = await makeReporter(h);
});
afterAll(() => h.close());

/** Makes a counted conversion of an offer, and returns its transaction. */
const convert = async (offerId: string, state = "counted"): Promise<string> => {
  const { click, fields } = makeReport(offerId);
  await recordHits(h.db, [click]);
  expect(await reporter.report(fields)).toEqual(reported(state));
  return fields.transactionId;
};
const usedOf = async (offerId: string) =>
  (await h.rows<{ used: number }>("select used::int from offer_usage where offer_id = $1 order by day", [offerId])).map(
    (row) => row.used,
  );
const totalOf = (offerId: string) =>
  h.rows(
    `select sum(clicks)::int as clicks, sum(conversions)::int as conversions, sum(gross_micros)::int as gross
    from daily_counters where offer_id = $1`,
    [offerId],
  );
const isCapped = async (offerId: string) =>
  (
    await h.rows<{ capped: boolean }>("select capped_through is not null as capped from offers where id = $1", [
      offerId,
    ])
  )[0]?.capped;

describe("a reversal", () => {
  it("takes a conversion out of counters and money, and is told of", async () => {
    const { id } = await reporter.offer({ bidMicros: 1_000_001, publisherShareBps: 6_667 });
    const { click, fields } = makeReport(id);
    await recordHits(h.db, [click]);
    await reporter.report(fields);
    const answer = [
      200,
      {
        success: true,
        data: {
          ...fields,
          offerId: id,
          state: "reversed",
          reportedAt: timestamp,
          gross: 0,
          reversedAt: timestamp,
          reason: "The parcel came back",
        },
        message: "Conversion reversed",
      },
    ];
    const { transactionId } = fields;
    expect(await reporter.reverse({ transactionId, reason: "The parcel came back" })).toEqual(answer);
    expect(await reporter.reverse({ transactionId, reason: "Once more" })).toEqual(answer);
    expect(await countsOf(h, id)).toMatchObject([{ clicks: 1, conversions: 0, gross: 0, revenue: 0 }]);
    expect(await hitsOf(h, id)).toEqual(["click counted 1", "conversion counted 0", "conversion reversed 1"]);
    await expectExactCounts(h);
    expect(await reporter.report(fields)).toEqual(reported("reversed"));
    expect(await countsOf(h, id)).toMatchObject([{ conversions: 0, gross: 0 }]);
  });

  it("comes off the day on which the conversion was counted", async () => {
    const { id } = await reporter.offer({ dailyCap: 5 });
    const conversions = [0, 0, 2].map((days): Conversion => {
      const hit = makeHit({ offerId: id, occurredAt: Date.now() - days * DAY });
      const transactionId = newId("event");
      return Object.assign(hit, { kind: "conversion" as const, transactionId, amountMicros: 1, currency: "EUR" });
    });
    await recordHits(h.db, conversions);
    await reporter.reverse({ transactionId: conversions[2]?.transactionId });
    const sums = `select sum(conversions)::int as conversions, sum(transactions)::int as transactions, sum(billed)::int as billed
      from daily_counters where offer_id = $1 group by day order by day`;
    expect(await h.rows(sums, [id])).toEqual([
      { conversions: 0, transactions: 0, billed: 0 },
      { conversions: 2, transactions: 2, billed: 2 },
    ]);
    expect(await usedOf(id)).toEqual([0, 2]);
    await expectExactCounts(h);
  });

  it("reaches the publisher's report and the hits of whoever runs the offer", async () => {
    const { id } = await reporter.offer({ bidMicros: 3_000_000 });
    const { publisher, placement } = await makeInventory(h.db);
    const [kept, back] = [makeReport(id, { placementId: placement.id }), makeReport(id, { placementId: placement.id })];
    await recordHits(h.db, [kept.click, back.click]);
    for (const { fields } of [kept, back]) await reporter.report(fields);
    const days = `dateStart=${dayText(1)}&dateEnd=${dayText()}`;
    const read = async () => {
      const report = await api(h, "GET", `/api/report?${days}`, { token: publisher.privateKey });
      const hits = await api(h, "GET", `/api/v1/hits?${days}&offerId=${id}`, { token: SECRETS.ADMIN_TOKEN });
      return [dataOf<object[]>(report), dataOf<{ kind: string }[]>(hits).filter(({ kind }) => kind === "conversion")];
    };
    expect(await read()).toMatchObject([
      [{ conversions: 2, transactions: 2, revenue: 4.2 }],
      [{ hits: 2, unique: 2, reversed: 0 }],
    ]);
    await reporter.reverse({ transactionId: back.fields.transactionId });
    expect(await read()).toMatchObject([
      [{ conversions: 1, transactions: 1, revenue: 2.1 }],
      [{ hits: 2, unique: 1, reversed: 1 }],
    ]);
  });

  it("happens once, however often it is asked for at once", async () => {
    const { id } = await reporter.offer({ lifetimeCap: 10 });
    const transactionId = await convert(id);
    await convert(id);
    const answers = await Promise.all(Array.from({ length: 20 }, () => reporter.reverse({ transactionId })));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await totalOf(id)).toEqual([{ clicks: 2, conversions: 1, gross: 1_000_000 }]);
    expect(await usedOf(id)).toEqual([1]);
    await expectExactCounts(h);
  });

  it("frees the slot of a cap for the next conversion, and what was past the cap stays unpaid", async () => {
    const { id } = await reporter.offer({ lifetimeCap: 1 });
    const first = await convert(id);
    const second = await convert(id, "over_cap");
    expect(await isCapped(id)).toBe(true);
    await reporter.reverse({ transactionId: first });
    expect(await isCapped(id)).toBe(false);
    expect(await reporter.outcome(second)).toMatchObject([200, { data: { state: "over_cap", gross: 0 } }]);
    await convert(id);
    await convert(id, "over_cap");
    expect(await hitsOf(h, id)).toEqual([
      "click counted 4",
      "conversion counted 1",
      "conversion over_cap 2",
      "conversion reversed 1",
    ]);
    await expectExactCounts(h);
  });

  it("lets an offer serve again whose cap it freed", async () => {
    const { id } = await reporter.offer({ lifetimeCap: 1 });
    const transactionId = await convert(id);
    const isServed = async () => {
      const { publisher, placement } = await makeInventory(h.db);
      const asked = { publicKey: publisher.publicKey, placementId: placement.id, "at.country": "US", count: "20" };
      return (await askOffers(h, asked)).ids.includes(id);
    };
    expect(await isServed()).toBe(false);
    const outbox = () => h.count("publish_outbox where document_key = 'network'");
    await h.until(outbox, (n) => n === 0);
    await reporter.reverse({ transactionId });
    await h.until(outbox, (n) => n === 0);
    await h.until(isServed, Boolean);
  });

  it("of a conversion past a cap changes its state alone", async () => {
    const { id } = await reporter.offer({ lifetimeCap: 1 });
    await convert(id);
    const transactionId = await convert(id, "over_cap");
    await reporter.reverse({ transactionId });
    expect(await usedOf(id)).toEqual([1]);
    expect(await isCapped(id)).toBe(true);
    expect(await totalOf(id)).toEqual([{ clicks: 2, conversions: 1, gross: 1_000_000 }]);
    await expectExactCounts(h);
  });

  it("of an offer that is not paid by conversion changes no money", async () => {
    const { id } = await reporter.offer({ pricing: "CPC", bidMicros: 5_000, lifetimeCap: 3 });
    const transactionId = await convert(id);
    await reporter.reverse({ transactionId });
    expect(await countsOf(h, id)).toMatchObject([{ clicks: 1, conversions: 0, gross: 5_000 }]);
    expect(await usedOf(id)).toEqual([1]);
    await expectExactCounts(h);
  });

  it("keeps the usage right of an offer that had a cap, has none, and gets one again", async () => {
    const { id } = await reporter.offer({ lifetimeCap: 3 });
    const first = await convert(id);
    await updateOffer(h.db, ADMIN, id, { lifetimeCap: null });
    const second = await convert(id);
    for (const transactionId of [first, second]) await reporter.reverse({ transactionId });
    await updateOffer(h.db, ADMIN, id, { lifetimeCap: 1 });
    await convert(id);
    await convert(id, "over_cap");
    expect(await usedOf(id)).toEqual([1]);
    await expectExactCounts(h);
  });

  it("of a conversion that waits for its click keeps it from counting", async () => {
    const { id } = await reporter.offer({ lifetimeCap: 1 });
    const { click, fields } = makeReport(id);
    const { transactionId } = fields;
    await reporter.report(fields);
    expect(await reporter.reverse({ transactionId })).toMatchObject([200, { data: { state: "reversed" } }]);
    expect(await reporter.report(fields)).toEqual(reported("reversed"));
    await h.deliver([message(click)]);
    expect(await reporter.outcome(transactionId)).toMatchObject([200, { data: { state: "reversed", gross: 0 } }]);
    expect(await reporter.report(fields)).toEqual(reported("reversed"));
    expect(await hitsOf(h, id)).toEqual(["click counted 1", "conversion duplicate 1", "conversion reversed 1"]);
    await convert(id);
    await expectExactCounts(h);
  });
});
