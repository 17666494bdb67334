import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Candidate, NetworkDocument } from "../../db/documents/types.ts";
import { isWithheld } from "../../db/documents/withheld.ts";
import { PAYMENT_TYPES } from "../../db/schema/values.ts";
import { decide, ineligibility, type DecisionRequest } from "../../functions/decision/order.ts";
import { SAMPLE_OFFERS } from "../../functions/decision/samples.ts";
import { networkDocument } from "../support/documents.ts";
import { decideNaively } from "../support/naive/answers.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const [sample] = SAMPLE_OFFERS;
const open: Candidate = {
  ...(sample as Candidate),
  id: "ofr_1",
  priority: 5,
  ecpmMicros: 1_000_000,
};
const network = networkDocument();
const plain: DecisionRequest = { count: 4, session: "s", now: NOW };
const ids = (offers: readonly Candidate[]) => offers.map((offer) => offer.id);

describe("ineligibility", () => {
  it.each<[string, Partial<Candidate>, Partial<DecisionRequest>, string | null]>([
    ["an open offer", {}, {}, null],
    ["a start a moment ahead", { startsAt: NOW + 1 }, {}, "not_started"],
    ["a start now", { startsAt: NOW }, {}, null],
    ["an end a moment ahead", { endsAt: NOW + 1 }, {}, null],
    ["an end now", { endsAt: NOW }, {}, "ended"],
    ["a time around now", { startsAt: NOW - 1, endsAt: NOW + 1 }, {}, null],
    ["its language", { languages: ["de", "en"] }, { language: "en" }, null],
    ["another language", { languages: ["de", "en"] }, { language: "fr" }, "language"],
    ["no language told", { languages: ["de"] }, {}, "language"],
    ["its currency", { currencies: ["USD"] }, { currency: "USD" }, null],
    ["another currency", { currencies: ["USD"] }, { currency: "EUR" }, "currency"],
    ["no currency told", { currencies: ["USD"] }, {}, "currency"],
    ["its payment type", { paymentTypes: ["paypal"] }, { paymentType: "paypal" }, null],
    ["another payment type", { paymentTypes: ["paypal"] }, { paymentType: "crypto" }, "payment_type"],
    ["no payment type told", { paymentTypes: ["paypal"] }, {}, "payment_type"],
    ["an amount at the least", { amountMin: 50, amountMax: 100 }, { amount: 50 }, null],
    ["an amount at the most", { amountMin: 50, amountMax: 100 }, { amount: 100 }, null],
    ["an amount too low", { amountMin: 50, amountMax: 100 }, { amount: 49.99 }, "amount"],
    ["an amount too high", { amountMin: 50, amountMax: 100 }, { amount: 100.01 }, "amount"],
    ["an amount above an open range's least", { amountMin: 50 }, { amount: 1_000_000 }, null],
    ["an amount of nothing below an open range's most", { amountMax: 100 }, { amount: 0 }, null],
    ["no amount told, a least", { amountMin: 0 }, {}, "amount"],
    ["no amount told, a most", { amountMax: 1e9 }, {}, "amount"],
    ["facts that it does not ask for", {}, { language: "fr", currency: "EUR", amount: 5, paymentType: "other" }, null],
  ])("of %s", (_, offer, request, reason) => {
    expect(ineligibility({ ...open, ...offer }, network, { ...plain, ...request })).toBe(reason);
  });

  it.each<[string, Partial<NetworkDocument>, string | null]>([
    ["since", { offers: [[11, 7]] }, "changed"],
    [
      "among others since",
      {
        offers: [
          [1, 6, 8],
          [11, 6, 7],
        ],
      },
      "changed",
    ],
    ["and was built from the change", { offers: [[10, 7]] }, null],
    ["before", { offers: [[9, 7]] }, null],
    ["when another one did", { offers: [[11, 8]] }, null],
    ["with its advertiser since", { advertisers: [[21, 3]] }, "changed"],
    ["and was built from its advertiser's change", { advertisers: [[20, 3]] }, null],
    ["when another advertiser did", { advertisers: [[21, 7]] }, null],
  ])("of an offer that changed %s", (_, changes, reason) => {
    const offer = { ...open, serial: 7, changedAt: NOW + 10, advertiserSerial: 3, advertiserChangedAt: NOW + 20 };
    expect(ineligibility(offer, networkDocument({ since: NOW, ...changes }), plain)).toBe(reason);
  });

  it("of an offer without a network document to tell is by its targeting alone", () => {
    expect(ineligibility(open, null, plain)).toBeNull();
  });
});

const some = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1, maxLength: 2 });
const rarely = <T>(arbitrary: fc.Arbitrary<T>, otherwise: T) =>
  fc.oneof({ arbitrary: fc.constant(otherwise), weight: 3 }, { arbitrary, weight: 1 });
const moments = fc.integer({ min: NOW - 2, max: NOW + 2 });

const candidates = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 1, max: 60 }).map((number) => `ofr_${number}`),
    priority: fc.integer({ min: 1, max: 4 }),
    ecpmMicros: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2 ** 40 })),
    startsAt: rarely<number | null>(moments, null),
    endsAt: rarely<number | null>(moments, null),
    languages: rarely(some(["en", "de", "fr"]), []),
    currencies: rarely(some(["USD", "EUR"]), []),
    amountMin: rarely<number | null>(fc.integer({ min: 0, max: 100 }), null),
    amountMax: rarely<number | null>(fc.integer({ min: 0, max: 100 }), null),
    paymentTypes: rarely(some(PAYMENT_TYPES), []),
    serial: fc.integer({ min: 0, max: 59 }),
    changedAt: fc.integer({ min: 0, max: 4 }),
    advertiserSerial: fc.integer({ min: 0, max: 4 }),
    advertiserChangedAt: fc.integer({ min: 0, max: 4 }),
  }),
  { selector: (offer) => offer.id, maxLength: 50 },
);
const offersOf = candidates.map((rows) => rows.map((row): Candidate => ({ ...open, ...row })));

const groupsOf = (serials: number) =>
  fc
    .dictionary(fc.integer({ min: 0, max: 4 }).map(String), fc.subarray(Array.from({ length: serials }, (_, i) => i)))
    .map((groups) => Object.entries(groups).map(([after, changed]) => [Number(after)].concat(changed)));
const networkOf = fc
  .record({ offers: groupsOf(60), advertisers: groupsOf(5) })
  .map((changes) => networkDocument({ since: 0, ...changes }));

const requestOf: fc.Arbitrary<DecisionRequest> = fc.record(
  {
    count: fc.integer({ min: 1, max: 20 }),
    session: fc.string({ minLength: 1 }),
    now: moments,
    language: fc.constantFrom("en", "de", "xx"),
    currency: fc.constantFrom("USD", "EUR", "JPY"),
    amount: fc.integer({ min: 0, max: 110 }),
    paymentType: fc.constantFrom(...PAYMENT_TYPES),
  },
  { requiredKeys: ["count", "session", "now"] },
);

const freeze = <T>(value: T): T => {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
};

describe("decide", () => {
  it("chooses only, all and each once of the eligible, in order of priority, at most as many as were asked for", () => {
    fc.assert(
      fc.property(offersOf, networkOf, requestOf, (offers, changes, request) => {
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
        if (isGreedy) expect(left.filter(({ advertiserSerial }) => taken(advertiserSerial) < 8)).toEqual([]);
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
