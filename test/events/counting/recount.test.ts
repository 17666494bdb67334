import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordHits } from "../../../db/tracking/recording/events.ts";
import type { Conversion, Hit } from "../../../db/tracking/hits.ts";
import { newId } from "../../../db/core/ids.ts";
import { CLOSINGS, EVENT_KINDS } from "../../../db/schema/values.ts";
import { makeAdvertiser, makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { DAY, expectExactCounts, idAt, makeHit } from "../../support/tracking/hits.ts";

const EVENTS = 10_000;
const BATCH = 100;
const AT_ONCE = 20;
const SEED = 10;

/** Holds an offer's price in micro-USD for each event of the kind that is paid for, the publisher's share of it in ten-thousandths, and how often it can be paid in three days. */
type Offer = { id: string; paid: Hit["kind"] | null; price: number; share: number; cap: number };

let h: Harness;
let offers: Offer[];

beforeAll(async () => {
  h = await startHarness();
  const { id } = await makeAdvertiser(h.db);
  const make = async (columns: Parameters<typeof makeOffer>[2]) => (await makeOffer(h.db, id, columns)).id;
  const cpm = await make({ pricing: "CPM", bidMicros: 1_999_000, publisherShareBps: 3_333, dailyCap: 50 });
  const cpc = await make({ pricing: "CPC", bidMicros: 70_001, publisherShareBps: 7_001, lifetimeCap: 90 });
  const cpa = await make({ pricing: "CPA", bidMicros: 9_000_001, publisherShareBps: 9_999 });
  offers = [
    { id: cpm, paid: "impression", price: 1_999, share: 3_333, cap: 3 * 50 },
    { id: cpc, paid: "click", price: 70_001, share: 7_001, cap: 90 },
    { id: cpa, paid: "conversion", price: 9_000_001, share: 9_999, cap: Infinity },
    { id: newId("offer"), paid: null, price: 0, share: 0, cap: 0 },
  ];
});
afterAll(() => h.close());

const event = fc.record({
  kind: fc.constantFrom(...EVENT_KINDS),
  reason: fc.constantFrom(null, null, null, null, "bot", "expired", "test"),
  decision: fc.nat(399),
  // The previous version did not report how a close came about, so its messages have no such member.
  closing: fc.constantFrom(...CLOSINGS, null, undefined),
  offer: fc.nat(3),
  placement: fc.nat(4),
  country: fc.constantFrom("US", "DE", "FR"),
  age: fc.nat(2),
  transaction: fc.nat(149),
  amountMicros: fc.option(fc.nat(100_000_000), { nil: null }),
});

const makeEvents = (): (Hit | Conversion)[] => {
  const now = Date.now();
  const decisions = Array.from({ length: 400 }, (_, i) => idAt("decision", now - (i % 3) * DAY - 60_000));
  const placements = Array.from({ length: 5 }, () => newId("placement"));
  return fc
    .sample(fc.noBias(event), { numRuns: EVENTS, seed: SEED })
    .map(({ kind, reason, closing, country, decision, offer, placement, age, transaction, amountMicros }) => {
      const hit = makeHit({
        kind,
        reason,
        ...(closing === undefined ? {} : { closing }),
        country,
        decisionId: decisions[decision] ?? "",
        offerId: offers[offer]?.id ?? "",
        placementId: placements[placement] ?? "",
        occurredAt: now - age * DAY,
      });
      if (kind !== "conversion") return hit;
      const currency = amountMicros === null ? null : "USD";
      return Object.assign(hit, { kind, transactionId: `${offer} ${transaction}`, amountMicros, currency });
    });
};

/** Returns what must be there in the end, in whatever order events are stored: one hit of each subject counts. */
const expectedHits = (events: (Hit | Conversion)[]) => {
  const subjects = new Set<string>();
  const hits = new Map<string, number>();
  const add = (hit: Hit, outcome: string) => {
    const name = `${hit.offerId} ${hit.kind} ${outcome}`;
    hits.set(name, (hits.get(name) ?? 0) + 1);
  };
  for (const hit of events) {
    const subject = "transactionId" in hit ? hit.transactionId : `${hit.decisionId} ${hit.offerId} ${hit.kind}`;
    add(hit, hit.reason ?? (subjects.has(subject) ? "duplicate" : "counted"));
    if (hit.reason === null) subjects.add(subject);
  }
  return hits;
};

it("ten thousand events, some delivered again, many at once, are counted as a recount counts them", async () => {
  const events = makeEvents();
  const random = fc.sample(fc.nat(EVENTS / BATCH - 1), { numRuns: 40, seed: SEED });
  const batches = Array.from({ length: EVENTS / BATCH }, (_, i) => events.slice(i * BATCH, (i + 1) * BATCH));
  const again = random.flatMap((place) => batches.slice(place, place + 1));
  const deliveries = [...batches, ...again.map((batch) => batch.toReversed())];
  const mixed = deliveries.map((batch, i) => ({ batch, at: (i * 37) % deliveries.length })).sort((a, b) => a.at - b.at);
  for (let i = 0; i < mixed.length; i += AT_ONCE) {
    await Promise.all(mixed.slice(i, i + AT_ONCE).map(({ batch }) => recordHits(h.db, batch)));
  }

  const expected = expectedHits(events);
  // Which hits get the last slots of a cap depends on their order; that all others are over it does not.
  const rows = await h.rows<{ name: string; hits: number }>(
    `select offer_id || ' ' || kind || ' ' || case outcome when 'over_cap' then 'counted' else outcome end as name,
      sum(hits)::int as hits from daily_hits group by 1`,
  );
  expect(new Map(rows.map(({ name, hits }) => [name, hits]))).toEqual(expected);
  await expectExactCounts(h);

  for (const { id, paid, price, share, cap } of offers) {
    const paidFor = paid === null ? 0 : Math.min(cap, expected.get(`${id} ${paid} counted`) ?? 0);
    const [money] = await h.rows(
      "select sum(gross_micros)::float8 as gross, sum(revenue_micros)::float8 as revenue from daily_counters where offer_id = $1",
      [id],
    );
    const micros = Number(((paidFor * price * share) / 10_000).toFixed(4));
    expect(money).toEqual({ gross: paidFor * price, revenue: micros });
    expect(paidFor).toBeGreaterThan(paid === null ? -1 : 80);
  }
  const transactions = (query: string) =>
    h.rows(`select day::text, sum(transactions)::int as n from (${query}) t group by 1 order by 1`);
  expect(await transactions("select day, transactions from daily_counters")).toEqual(
    await transactions(
      `select (occurred_at at time zone 'UTC')::date as day, count(amount_micros) as transactions
       from events where outcome = 'counted' and kind = 'conversion' group by 1
       union all select distinct (occurred_at at time zone 'UTC')::date, 0 from events`,
    ),
  );
});
