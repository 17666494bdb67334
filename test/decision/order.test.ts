import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Candidate } from "../../db/documents/types.ts";
import { isWithheld } from "../../db/documents/withheld.ts";
import { ineligibility, type DecisionRequest } from "../../functions/decision/eligibility.ts";
import { decide } from "../../functions/decision/order.ts";
import { networkOf, NOW, offersOf, OPEN_OFFER, requestOf } from "../support/documents/arbitrary-decisions.ts";
import { networkDocument } from "../support/documents/documents.ts";
import { decideNaively } from "../support/naive/answers.ts";

const open = OPEN_OFFER;
const network = networkDocument();
const plain: DecisionRequest = { count: 4, session: "s", now: NOW };
const ids = (offers: readonly Candidate[]) => offers.map((offer) => offer.id);

/** Makes networks in which no offer is near its cap. */
const untaperedNetworkOf = networkOf.map((changes) => ({ ...changes, tapered: [] }));

const freeze = <T>(value: T): T => {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
};

describe("decide", () => {
  it("chooses only, all and each once of the eligible, in order of priority, at most as many as were asked for", () => {
    fc.assert(
      fc.property(offersOf, untaperedNetworkOf, requestOf, (offers, changes, request) => {
        const eligible = offers.filter((offer) => ineligibility(offer, changes, request) === null);
        const chosen = decide(offers, changes, request);
        expect(chosen).toHaveLength(Math.min(request.count, eligible.length));
        expect(new Set(chosen).size).toBe(chosen.length);
        expect(eligible).toEqual(expect.arrayContaining(chosen));
        // Of more than eight, an advertiser's ninth gives way to others of any priority.
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
      fc.property(offersOf, networkOf, requestOf, (offers, changes, request) => {
        const chosen = decide(offers, changes, { ...request, count: 20 });
        const taken = (serial: number) => chosen.filter(({ advertiserSerial }) => advertiserSerial === serial).length;
        const left = offers.filter(
          (offer) => !chosen.includes(offer) && ineligibility(offer, changes, request) === null,
        );
        const isGreedy = chosen.some(({ advertiserSerial }) => taken(advertiserSerial) > 8);
        const entitled = left.filter(({ advertiserSerial }) => taken(advertiserSerial) < 8);
        expect(isGreedy ? entitled : []).toEqual([]);
      }),
      { seed: 6, numRuns: 300 },
    );
  });

  it("chooses what filtering and sorting all offers would choose", () => {
    fc.assert(
      fc.property(offersOf, networkOf, requestOf, (offers, changes, request) => {
        expect(ids(decide(offers, changes, request))).toEqual(ids(decideNaively(offers, changes, request)));
      }),
      { seed: 5, numRuns: 1_000 },
    );
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

  it("chooses what comes first by priority, by −ln(u)/weight and by id", () => {
    const offers = Array.from({ length: 50 }, (_, i) => ({
      ...open,
      id: `ofr_${i}`,
      priority: 1 + (i % 2),
      // Alike, so that many ranks lie close together; two offers weigh as little as can be.
      ecpmMicros: i < 2 ? i : 1_000_000 + 5_000 * (i % 7),
    }));
    for (let session = 0; session < 3_000; session++) {
      const request = { ...plain, session: `s-${session}`, count: 1 + (session % 30) };
      expect(ids(decide(offers, network, request))).toEqual(ids(decideNaively(offers, network, request)));
    }
  });

  it("shows fewer offers as the beginning of more", () => {
    fc.assert(
      fc.property(offersOf, requestOf, (offers, request) => {
        const all = ids(decide(offers, network, { ...request, count: 20 }));
        expect(ids(decide(offers, network, request))).toEqual(all.slice(0, request.count));
      }),
      { seed: 4 },
    );
  });

  it("has nothing to choose from nothing", () => {
    expect(decide([], network, plain)).toEqual([]);
    expect(decide([open], networkDocument({ offers: [[1, open.serial]] }), plain)).toEqual([]);
  });

  it("breaks no tie by chance", () => {
    // Two words of one FNV-1a hash, so that all sessions draw the same for both.
    const tied = [
      { ...open, id: "liquid" },
      { ...open, id: "costarring" },
    ];
    expect(ids(decide(tied, network, plain))).toEqual(["costarring", "liquid"]);
    expect(ids(decide(tied.toReversed(), network, plain))).toEqual(["costarring", "liquid"]);
  });
});

/** Makes a network in which one offer is near its cap. */
const near = (halvings: number) => networkDocument({ tapered: [[halvings, 7]] });

/** Decides for a session in a network of {@link near}. */
const decided = (halvings: number, i: number, offers: Candidate[], count: number) =>
  ids(decide(offers, near(halvings), { ...plain, count, session: `s${i}` }));

describe("an offer that tapers", () => {
  const SESSIONS = 4_000;
  const tapering = { ...open, id: "ofr_near", serial: 7, priority: 1 };
  const others = [1, 2, 3].map((serial) => Object.assign({}, open, { id: `ofr_${serial}`, serial, priority: 2 }));

  it.each([0, 1, 2, 3, 4])(
    "%i times halved is first for its share of sessions, and last for all others",
    (halvings) => {
      let first = 0;
      for (let i = 0; i < SESSIONS; i++) {
        const chosen = decided(halvings, i, [tapering, ...others], 4);
        expect(chosen.indexOf("ofr_near")).toBeOneOf([0, 3]);
        if (chosen[0] === "ofr_near") first += 1;
      }
      expect(Math.abs(first / SESSIONS - 2 ** -halvings)).toBeLessThan(0.03);
    },
  );

  it("is first for fewer and fewer of the same sessions", () => {
    for (let i = 0; i < 300; i++) {
      const isFirst = [0, 1, 2, 3, 4].map(
        (halvings) => decided(halvings, i, [tapering, ...others], 1)[0] === "ofr_near",
      );
      expect(isFirst).toEqual(isFirst.toSorted((a, b) => Number(b) - Number(a)));
    }
  });

  it("is shown to everybody where nothing else fills an answer", () => {
    for (let i = 0; i < 50; i++) expect(decided(4, i, [tapering], 4)).toEqual(["ofr_near"]);
  });
});

const offer = (id: string, ecpmMicros: number): Candidate => ({ ...open, id: `ofr_${id}`, ecpmMicros });

describe("the order within a tier", () => {
  const SESSIONS = 12_000;
  const firsts = (offers: Candidate[], session: (i: number) => string) => {
    const counts = new Map(offers.map(({ id }) => [id, 0]));
    for (let i = 0; i < SESSIONS; i++) {
      const [first] = decide(offers, network, { ...plain, session: session(i), count: 1 });
      counts.set(first?.id ?? "", (counts.get(first?.id ?? "") ?? 0) + 1);
    }
    return offers.map(({ id }) => (counts.get(id) ?? 0) / SESSIONS);
  };
  const naming: [string, (i: number) => string][] = [
    ["counted", (i) => `${i}`],
    ["prefixed", (i) => `session-${i.toString(36)}`],
    ["long", (i) => `${"0".repeat(200)}${i}`],
    ["e-mail", (i) => `customer.${i}@shop.example`],
    ["hash-like", (i) => (i * 2_654_435_761).toString(16).padStart(64, "0")],
  ];

  it.each(naming)("puts an offer worth twice as much first twice as often, with %s sessions", (_, session) => {
    const [one = 0, two = 0] = firsts([offer("a", 1_000_000), offer("b", 2_000_000)], session);
    expect(one + two).toBe(1);
    expect(two / one).toBeGreaterThan(1.8);
    expect(two / one).toBeLessThan(2.2);
  });

  it.each(naming)("shares alike between alike offers, with %s sessions", (_, session) => {
    const shares = firsts(
      ["a", "b", "c", "d"].map((id) => offer(id, 7_000_000)),
      session,
    );
    for (const share of shares) expect(Math.abs(share - 0.25)).toBeLessThan(0.02);
  });

  it("draws in proportion to the weights, the later places too", () => {
    const offers = [offer("a", 1_000_000), offer("b", 3_000_000), offer("c", 6_000_000)];
    const [a = 0, b = 0, c = 0] = firsts(offers, (i) => `s${i}`);
    expect(a).toBeCloseTo(0.1, 1);
    expect(b).toBeCloseTo(0.3, 1);
    expect(c).toBeCloseTo(0.6, 1);
    let seconds = 0;
    let cases = 0;
    for (let i = 0; i < SESSIONS; i++) {
      const [first, second] = decide(offers, network, { ...plain, session: `s${i}` });
      if (first?.id !== "ofr_c") continue;
      cases += 1;
      if (second?.id === "ofr_b") seconds += 1;
    }
    expect(seconds / cases).toBeCloseTo(0.75, 1);
  });

  it("leaves an offer without expected value a place", () => {
    const chosen = decide([offer("a", 0), offer("b", 5_000_000)], network, plain);
    expect(ids(chosen)).toEqual(["ofr_b", "ofr_a"]);
    expect(firsts([offer("a", 0), offer("b", 0)], (i) => `s${i}`).every((share) => share > 0.4)).toBe(true);
  });
});
