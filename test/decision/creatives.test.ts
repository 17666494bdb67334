import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Candidate } from "../../db/documents/types.ts";
import { hash32 } from "../../functions/core/hash.ts";
import { destinationOf, sharesOf, shownTo } from "../../functions/decision/creatives.ts";
import { decide } from "../../functions/decision/order.ts";
import { NOW, OPEN_OFFER } from "../support/documents/arbitrary-decisions.ts";
import { otherCreative, splitOffer } from "../support/documents/split.ts";

const session = (i: number) => hash32(`session ${i}`);
const SESSIONS = 20_000;
const seenBy = (offer: Candidate) => {
  const counts = new Map<number, number>();
  for (let i = 0; i < SESSIONS; i++) {
    const { creative = 0 } = shownTo(offer, session(i));
    counts.set(creative, (counts.get(creative) ?? 0) + 1);
  }
  return counts;
};

describe("the creative that a session sees", () => {
  it("is the offer itself, where it has one only", () => {
    expect(shownTo(OPEN_OFFER, 1)).toBe(OPEN_OFFER);
    expect(sharesOf(OPEN_OFFER)).toEqual(new Map());
  });

  it("comes as often as its weight says, and the same one for the same session", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 2, maxLength: 4 }), (weights) => {
        const [own = 0, ...rest] = weights;
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        fc.pre(rest.some((weight) => weight > 0));
        const offer = splitOffer(own, ...rest.map((weight, i): [number, number] => [i + 2, weight]));
        const counts = seenBy(offer);
        for (const [i, weight] of weights.entries()) {
          expect((counts.get(i + 1) ?? 0) / SESSIONS).toBeCloseTo(weight / total, 1);
          expect(sharesOf(offer).get(i + 1)).toBeCloseTo(weight / total, 10);
          expect(counts.has(i + 1)).toBe(weight > 0);
        }
        expect(shownTo(offer, session(7))).toBe(shownTo(offer, session(7)));
      }),
      { numRuns: 20 },
    );
  });

  it("changes for few sessions when a weight moves a little", () => {
    const [before, after] = [splitOffer(50, [2, 50]), splitOffer(52, [2, 50])];
    const moved = Array.from({ length: SESSIONS }, (_, i) => session(i)).filter(
      (each) => shownTo(before, each).creative !== shownTo(after, each).creative,
    );
    expect(moved.length / SESSIONS).toBeLessThan(0.02);
  });

  it("has the texts and the destination of the creative, and all else of the offer", () => {
    const offer = splitOffer(0, [3, 10]);
    const { number, weight: _, ...texts } = otherCreative(3, 10);
    expect(shownTo(offer, 5)).toEqual({ ...offer, ...texts, creative: number });
    expect(destinationOf(offer, 0)).toBe(OPEN_OFFER.destinationUrl);
    expect(destinationOf(offer, 1)).toBe(OPEN_OFFER.destinationUrl);
    expect(destinationOf(offer, 3)).toBe("https://advertiser.example/3");
    expect(destinationOf(offer, 2)).toBeNull();
  });

  it("is what a decision answers, in the offer's place", () => {
    const offers = [
      { ...splitOffer(0, [2, 1]), priority: 1 },
      { ...OPEN_OFFER, id: "ofr_2", serial: 2, priority: 2 },
    ];
    const [first, second] = decide({ offers }, null, { count: 4, session: "s", arm: "0", now: NOW });
    expect(first).toMatchObject({ id: OPEN_OFFER.id, title: "Title 2", creative: 2 });
    expect(second).toBe(offers[1]);
  });

  it("is what a decision answers, also where every offer has several", () => {
    const offers = [splitOffer(0, [2, 1])];
    const [only] = decide({ offers }, null, { count: 4, session: "s", arm: "0", now: NOW });
    expect(only).toMatchObject({ id: OPEN_OFFER.id, creative: 2 });
  });
});
