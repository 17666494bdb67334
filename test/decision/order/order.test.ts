import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../db/documents/types.ts";
import { isWithheld } from "../../../db/documents/withheld.ts";
import { ARMS } from "../../../functions/decision/arms.ts";
import { ineligibility } from "../../../functions/decision/eligibility.ts";
import { decide as decideFrom } from "../../../functions/decision/order.ts";
import { decide, ids, network, plain } from "../../support/deciding.ts";
import { networkOf, offersOf, OPEN_OFFER, requestOf } from "../../support/documents/arbitrary-decisions.ts";
import { networkDocument } from "../../support/documents/documents.ts";
import { decideNaively } from "../../support/naive/answers.ts";

const open = OPEN_OFFER;

/** Makes networks in which no offer is near its cap. */
const untaperedNetworkOf = networkOf.map((changes) => ({ ...changes, tapered: [] }));

/** Makes offers of two advertisers that suit all requests. Each often has more than eight. */
const twoAdvertisersOf = fc
  .array(fc.record({ advertiserSerial: fc.integer({ min: 1, max: 2 }), priority: fc.integer({ min: 1, max: 3 }) }), {
    minLength: 10,
    maxLength: 24,
  })
  .map((drawn) => drawn.map((each, i): Candidate => ({ ...open, id: `ofr_${i}`, ...each })));

/** Makes offers of an advertiser, each with the advertiser's letter in its id. */
const ownedBy = (letter: string, advertiserSerial: number, priority: number, count: number): Candidate[] =>
  Array.from({ length: count }, (_, i) => ({ ...open, id: `${letter}${i}`, advertiserSerial, priority }));

const freeze = <T>(value: T): T => {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
};

describe("decide", () => {
  it("chooses only, all and each once of the eligible, in order of priority, at most as many as were asked for", () => {
    fc.assert(
      fc.property(offersOf, untaperedNetworkOf, requestOf, (offers, changes, asked) => {
        const request = { ...asked, seen: undefined };
        const eligible = offers.filter((offer) => ineligibility(offer, changes, request) === null);
        const chosen = decide(offers, changes, request);
        expect(chosen).toHaveLength(Math.min(request.count, eligible.length));
        expect(new Set(chosen).size).toBe(chosen.length);
        expect(eligible).toEqual(expect.arrayContaining(chosen));
        // An advertiser's ninth offer gives way to others of any priority.
        const first = chosen.slice(0, 8);
        const priorities = first.map((offer) => offer.priority);
        expect(priorities).toEqual(priorities.toSorted((a, b) => a - b));
        const worst = Math.max(0, ...priorities);
        const passedOver = eligible.filter((offer) => !first.includes(offer));
        expect(passedOver.every((offer) => offer.priority >= worst)).toBe(true);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it("gives no advertiser a ninth place while another has an offer left within its eight", () => {
    fc.assert(
      fc.property(twoAdvertisersOf, fc.integer({ min: 9, max: 20 }), (offers, count) => {
        const chosen = decide(offers, network, { ...plain, count });
        const taken = (serial: number) => chosen.filter(({ advertiserSerial }) => advertiserSerial === serial).length;
        const isGreedy = taken(1) > 8 || taken(2) > 8;
        const entitled = offers.filter((offer) => !chosen.includes(offer) && taken(offer.advertiserSerial) < 8);
        expect(isGreedy ? entitled : []).toEqual([]);
      }),
      { seed: 6, numRuns: 300 },
    );
  });

  it.each([
    [8, "aaaaaaaa"],
    [9, "aaaaaaaab"],
    [12, "aaaaaaaabbaa"],
    [20, "aaaaaaaabbaa"],
  ])("of %d offers, gives an advertiser of ten no ninth before all others have theirs: %s", (count, owners) => {
    const offers = [...ownedBy("a", 1, 1, 10), ...ownedBy("b", 2, 2, 2)];
    const chosen = ids(decide(offers, network, { ...plain, count }));
    expect(chosen.map((id) => id.charAt(0)).join("")).toBe(owners);
  });

  it("chooses what filtering and sorting all offers would choose", () => {
    fc.assert(
      fc.property(offersOf, networkOf, requestOf, (offers, changes, request) => {
        expect(ids(decide(offers, changes, request))).toEqual(ids(decideNaively({ offers }, changes, request)));
      }),
      { seed: 5, numRuns: 1_000 },
    );
  });

  it("chooses so where some have hardly been shown", () => {
    const told = fc.array(
      fc.record({ count: fc.integer({ min: 0, max: 9 }), exposure: fc.integer({ min: 0, max: 200 }) }),
      {
        minLength: 50,
        maxLength: 50,
      },
    );
    fc.assert(
      fc.property(offersOf, untaperedNetworkOf, requestOf, told, (drawn, changes, request, evidence) => {
        const offers = drawn.map((each): Candidate => ({ ...each, pricing: "CPC" }));
        const rates = offers.map((_, i) => {
          const { count, exposure } = evidence[i] ?? { count: 0, exposure: 0 };
          return [0.02, count, exposure, count, exposure];
        });
        const learned = { places: [0, 0], strengths: [10, 20], rates };
        const chosen = decideFrom({ offers, learned }, changes, request);
        expect(ids(chosen)).toEqual(ids(decideNaively({ offers, learned }, changes, request)));
      }),
      { seed: 7, numRuns: 1_000 },
    );
  });

  it.each([200, 90, 400])("chooses so from %i offers too, each of which asks for amounts of its own", (count) => {
    const offers = Array.from({ length: count }, (_, i): Candidate => ({
      ...OPEN_OFFER,
      id: `ofr_${i}`,
      advertiserSerial: i % 30,
      priority: 1 + (i % 3),
      amountMin: i,
      amountMax: i + 20,
    }));
    for (const amount of [0, 50, 89, 150, 219, 410, 420]) {
      const request = { ...plain, amount };
      const chosen = ids(decide(offers, network, request));
      expect(chosen).toEqual(ids(decideNaively({ offers }, network, request)));
      const eligible = Math.min(count - 1, amount) - Math.max(0, amount - 20) + 1;
      expect(chosen).toHaveLength(Math.max(0, Math.min(4, eligible)));
    }
  });

  it("never chooses an offer that changed since, has not started or has ended", () => {
    fc.assert(
      fc.property(offersOf, networkOf, requestOf, (offers, changes, request) => {
        for (const chosen of decide(offers, changes, request)) {
          expect(isWithheld(changes, chosen)).toBe(false);
          expect(chosen.startsAt ?? 0).toBeLessThanOrEqual(request.now);
          expect(chosen.endsAt ?? Infinity).toBeGreaterThan(request.now);
        }
      }),
      { seed: 2, numRuns: 300 },
    );
  });

  it("depends on nothing but its input, not on the input's order, and changes none of it", () => {
    fc.assert(
      fc.property(
        offersOf.chain((offers) =>
          fc.tuple(fc.constant(offers), fc.shuffledSubarray(offers, { minLength: offers.length })),
        ),
        networkOf,
        requestOf,
        ([offers, shuffled], changes, request) => {
          const chosen = decide(freeze(offers), freeze(changes), freeze(request));
          expect(decide(offers, changes, request)).toEqual(chosen);
          expect(ids(decide(shuffled, changes, request))).toEqual(ids(chosen));
        },
      ),
      { seed: 3, numRuns: 200 },
    );
  });

  it("chooses what comes first by priority, by draws from what is believed of their worth and by id", () => {
    const offers = Array.from({ length: 50 }, (_, i) => ({
      ...open,
      id: `ofr_${i}`,
      priority: 1 + (i % 2),
      // Similar, so that many ranks lie close together; two offers weigh as little as possible.
      ecpmMicros: i < 2 ? i : 1_000_000 + 5_000 * (i % 7),
    }));
    for (let session = 0; session < 3_000; session++) {
      const request = { ...plain, session: `s-${session}`, count: 1 + (session % 30) };
      expect(ids(decide(offers, network, request))).toEqual(ids(decideNaively({ offers }, network, request)));
    }
  });

  it("shows fewer offers as the beginning of more, but for newcomers and random order", () => {
    fc.assert(
      fc.property(offersOf, requestOf, (drawn, request) => {
        fc.pre(request.arm !== ARMS.random);
        const offers = drawn.map((each) => ({ ...each, isNew: false }));
        const all = ids(decide(offers, network, { ...request, count: 20 }));
        expect(ids(decide(offers, network, request))).toEqual(all.slice(0, request.count));
      }),
      { seed: 4, numRuns: 1_000 },
    );
  });

  it("has nothing to choose from nothing", () => {
    expect(decide([], network, plain)).toEqual([]);
    expect(decide([open], networkDocument({ offers: [[1, open.serial]] }), plain)).toEqual([]);
  });

  it("breaks no tie by chance", () => {
    // Two words with the same FNV-1a hash, so that all sessions draw the same for both.
    const tied = [
      { ...open, id: "liquid" },
      { ...open, id: "costarring" },
    ];
    expect(ids(decide(tied, network, plain))).toEqual(["costarring", "liquid"]);
    expect(ids(decide(tied.toReversed(), network, plain))).toEqual(["costarring", "liquid"]);
  });
});
