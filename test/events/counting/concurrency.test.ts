import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordHits } from "../../../db/tracking/recording/events.ts";
import type { Hit } from "../../../db/tracking/hits.ts";
import { newId } from "../../../db/core/ids.ts";
import { makeAdvertiser, makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { expectExactCounts, hitsOf, makeHit } from "../../support/tracking/hits.ts";

const CONSUMERS = 20;

let h: Harness;
let offerIds: string[];

beforeAll(async () => {
  h = await startHarness();
  const advertiser = await makeAdvertiser(h.db);
  const capped = await makeOffer(h.db, advertiser.id, { dailyCap: 5, lifetimeCap: 8 });
  const impressions = await makeOffer(h.db, advertiser.id, { pricing: "CPM", bidMicros: 9_000_000, lifetimeCap: 100 });
  offerIds = [capped.id, impressions.id, newId("offer")];
});
afterAll(() => h.close());

/** Hits on few offers of few decisions, so that many of them are each other's duplicates. */
const someHits = (random: () => number, count: number): Hit[] => {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const decisions = Array.from({ length: 12 }, () => newId("decision"));
  const sessions = [newId("event"), newId("event")];
  const placements = [newId("placement"), newId("placement")];
  const now = Date.now();
  return Array.from({ length: count }, () =>
    makeHit({
      sessionHash: pick([...sessions, null]),
      kind: pick(["impression", "click", "close"] as const),
      reason: pick([null, null, null, "bot"] as const),
      occurredAt: now - Math.floor(random() * 1_000),
      decisionId: pick(decisions),
      offerId: pick(offerIds),
      placementId: pick(placements),
    }),
  );
};

/** A repeatable source of numbers from 0 to 1 (mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

describe("consumers at work at once", () => {
  it("lose none of the hits that are each other's duplicates", async () => {
    for (let round = 0; round < 5; round++) {
      const { offerId, decisionId } = makeHit();
      const twins = Array.from({ length: CONSUMERS }, () => makeHit({ offerId, decisionId }));
      await Promise.all(twins.map((hit) => recordHits(h.db, [hit])));
      expect(await hitsOf(h, offerId)).toEqual(["click counted 1", `click duplicate ${CONSUMERS - 1}`]);
    }
  });

  it("store each hit of overlapping batches once, count exactly and never lock each other out", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const random = randomFrom(seed);
        const hits = someHits(random, 60);
        const shuffled = () => hits.map((hit) => ({ hit, at: random() })).sort((a, b) => a.at - b.at);
        const batches = Array.from({ length: CONSUMERS }, () => shuffled().slice(0, 1 + Math.floor(random() * 60)));
        await Promise.all(
          [...batches, shuffled()].map((batch) =>
            recordHits(
              h.db,
              batch.map(({ hit }) => hit),
            ),
          ),
        );
        const ids = hits.map((hit) => hit.id);
        const known =
          "(select id from events where id = any ($1) union select id from counted_repeats where id = any ($1)) t";
        expect(await h.count(known, [ids])).toBe(hits.length);
        await expectExactCounts(h);
      }),
      { numRuns: 15 },
    );
  });
});
