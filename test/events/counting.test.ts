import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Hit } from "../../db/tracking/events.ts";
import { newId } from "../../db/core/ids.ts";
import { makeAdvertiser, makeOffer } from "../support/factories.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { DAY, expectExactCounts, idAt, makeHit, message } from "../support/hits.ts";

type Offer = { id: string; paidKind: Hit["kind"] | null; gross: number; revenue: number };

let h: Harness;
let offers: Offer[];

beforeAll(async () => {
  h = await startHarness();
  const { id: advertiser } = await makeAdvertiser(h.db);
  const cpm = { pricing: "CPM" as const, bidMicros: 7_777_000, publisherShareBps: 6_667 };
  const cpc = { pricing: "CPC" as const, bidMicros: 99_999, publisherShareBps: 1 };
  const cpa = { pricing: "CPA" as const, bidMicros: 1_000_000 };
  offers = [
    {
      ...(await makeOffer(h.db, advertiser, { ...cpm, dailyCap: 3 })),
      paidKind: "impression",
      gross: 7_777,
      revenue: 5_184,
    },
    {
      ...(await makeOffer(h.db, advertiser, { ...cpc, lifetimeCap: 5 })),
      paidKind: "click",
      gross: 99_999,
      revenue: 9,
    },
    { ...(await makeOffer(h.db, advertiser, cpa)), paidKind: null, gross: 0, revenue: 0 },
    { id: newId("offer"), paidKind: null, gross: 0, revenue: 0 },
  ];
});
afterAll(() => h.close());

const plan = fc.record({
  hits: fc.array(
    fc.record({
      kind: fc.constantFrom("impression", "viewable", "click", "close"),
      reason: fc.option(fc.constantFrom("bot", "expired", "test"), { nil: null, freq: 3 }),
      decision: fc.nat(2),
      offer: fc.nat(3),
      country: fc.constantFrom("US", "DE"),
      age: fc.nat(3),
    }),
    { minLength: 1, maxLength: 25 },
  ),
  // Deliveries name hits by their places; the same place may come again in one and in several of them.
  deliveries: fc.array(fc.array(fc.nat(24), { maxLength: 30 }), { minLength: 1, maxLength: 6 }),
});

/** What must become of hits that are delivered one batch after the other. */
const judge = (batches: Hit[][]): Map<string, string> => {
  const outcomes = new Map<string, string>();
  const counted = new Set<string>();
  for (const batch of batches) {
    for (const hit of batch.toSorted((a, b) => a.occurredAt - b.occurredAt || (a.id < b.id ? -1 : 1))) {
      if (outcomes.has(hit.id)) continue;
      const subject = `${hit.decisionId} ${hit.offerId} ${hit.kind}`;
      outcomes.set(hit.id, hit.reason ?? (counted.has(subject) ? "duplicate" : "counted"));
      if (hit.reason === null) counted.add(subject);
    }
  }
  return outcomes;
};

it("every sequence of deliveries gives the counts that a simple model gives", async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ hits: planned, deliveries }) => {
      const decisions = [0, 1, 2].map((age) => idAt("decision", Date.now() - age * DAY - 10_000));
      const placementId = newId("placement");
      const hits = planned.map(({ decision, offer, age, ...hit }) =>
        makeHit({
          ...hit,
          placementId,
          decisionId: decisions[decision] ?? "",
          offerId: offers[offer]?.id ?? "",
          occurredAt: Date.now() - age * (DAY / 2),
        }),
      );
      const batches = deliveries.map((places) => places.flatMap((place) => hits[place] ?? []));
      for (const batch of batches) expect(await h.deliver(batch.map(message))).toMatchObject({ ackAll: true });

      const expected = [...judge(batches)].map(([id, outcome]) => {
        const hit = hits.find((candidate) => candidate.id === id);
        const offer = offers.find((candidate) => candidate.id === hit?.offerId);
        const billed = outcome === "counted" && offer?.paidKind === hit?.kind;
        return { id, outcome, gross: billed ? offer?.gross : 0, revenue: billed ? offer?.revenue : 0 };
      });
      const found = await h.rows(
        "select id, outcome, gross_micros::int as gross, revenue_micros::int as revenue from events where placement_id = $1",
        [placementId],
      );
      expect(new Set(found)).toEqual(new Set(expected));
      await expectExactCounts(h);
    }),
    { numRuns: 40 },
  );
});
