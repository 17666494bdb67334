import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { makeAdvertiser, makeInventory, makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { DAY, expectExactCounts, idAt, makeHit, message } from "../../support/tracking/hits.ts";
import { judge, type PricedOffer } from "../../support/tracking/judge-hits.ts";

let h: Harness;
let advertiserId: string;

beforeAll(async () => {
  h = await startHarness();
  advertiserId = (await makeAdvertiser(h.db)).id;
});
afterAll(() => h.close());

const cpm = { pricing: "CPM" as const, bidMicros: 7_777_000, publisherShareBps: 6_667 };
const cpc = { pricing: "CPC" as const, bidMicros: 99_999, publisherShareBps: 1 };
const cpa = { pricing: "CPA" as const, bidMicros: 1_000_000 };
const make = async (columns: Parameters<typeof makeOffer>[2]) => (await makeOffer(h.db, advertiserId, columns)).id;

const makeOffers = async (): Promise<PricedOffer[]> => {
  return [
    { id: await make({ ...cpm, dailyCap: 3 }), paidKind: "impression", price: 7_777, share: 6_667, dailyCap: 3 },
    { id: await make({ ...cpc, lifetimeCap: 3 }), paidKind: "click", price: 99_999, share: 1, lifetimeCap: 3 },
    { id: await make(cpc), paidKind: "click", price: 99_999, share: 1 },
    { id: await make(cpa), paidKind: null, price: 0, share: 0 },
    { id: newId("offer"), paidKind: null, price: 0, share: 0 },
  ];
};

const plan = fc.record({
  hits: fc.array(
    fc.record({
      kind: fc.constantFrom("impression", "viewable", "click", "close"),
      reason: fc.option(fc.constantFrom("bot", "expired", "test"), { nil: null, freq: 3 }),
      decision: fc.nat(7),
      offer: fc.nat(4),
      place: fc.nat(3),
      country: fc.constantFrom("US", "DE"),
      session: fc.nat(2),
      hoursAgo: fc.nat(72),
    }),
    { minLength: 1, maxLength: 40 },
  ),
  // Deliveries name hits by their indexes; an index may come again within one delivery and in several.
  deliveries: fc.array(fc.array(fc.nat(39), { maxLength: 40 }), { minLength: 1, maxLength: 6 }),
});

/** A customer with a session, one without, and one of whom nothing is known. */
const CUSTOMERS = [{ sessionHash: "a session" }, { addressHash: "an address range" }, {}];

it("every sequence of deliveries gives the counts that a simple model gives", async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ hits: planned, deliveries }) => {
      const now = Date.now();
      const decisions = Array.from({ length: 8 }, (_, i) => idAt("decision", now - (i % 3) * DAY - 10_000));
      const { placement } = await makeInventory(h.db);
      const placementId = placement.id;
      const offers = await makeOffers();
      const hits = planned.map(({ decision, offer, session, hoursAgo, ...hit }) =>
        makeHit({
          ...hit,
          ...CUSTOMERS[session],
          placementId,
          decisionId: decisions[decision] ?? "",
          offerId: offers[offer]?.id ?? "",
          occurredAt: now - hoursAgo * (DAY / 24),
        }),
      );
      const batches = deliveries.map((places) => places.flatMap((place) => hits[place] ?? []));
      for (const batch of batches) expect(await h.deliver(batch.map(message))).toMatchObject({ ackAll: true });

      const { stored, again } = judge(batches, offers);
      const found = await h.rows(
        "select id, outcome, gross_micros::int as gross, revenue_micros::float8 as revenue from events where placement_id = $1",
        [placementId],
      );
      expect(new Set(found)).toEqual(new Set(stored.values()));
      const repeats = await h.rows("select id from counted_repeats where id = any ($1)", [hits.map(({ id }) => id)]);
      expect(new Set(repeats.map(({ id }) => id))).toEqual(new Set(again.keys()));
      await expectExactCounts(h);
    }),
    { numRuns: 30 },
  );
});
