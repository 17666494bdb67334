import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Candidate, NetworkDocument } from "../../db/documents/types.ts";
import { isWithheld } from "../../db/documents/withheld.ts";
import { ineligibility, type DecisionRequest } from "../../functions/decision/eligibility.ts";
import { armOf, ARMS, type Arm } from "../../functions/decision/arms.ts";
import type { Candidates } from "../../functions/decision/columns.ts";
import { termsOf, worthOf } from "../../functions/decision/learning/score.ts";
import { decide as decideFrom } from "../../functions/decision/order.ts";
import { networkOf, NOW, offersOf, OPEN_OFFER, requestOf } from "../support/documents/arbitrary-decisions.ts";
import { networkDocument } from "../support/documents/documents.ts";
import { decideNaively } from "../support/naive/answers.ts";

const open = OPEN_OFFER;
const network = networkDocument();
const plain: DecisionRequest = { count: 4, session: "s", arm: ARMS.learned, now: NOW };
/** Decides on candidates of which nothing was learned. */
const decide = (offers: readonly Candidate[], changes: NetworkDocument | null, request: DecisionRequest) =>
  decideFrom({ offers: [...offers] }, changes, request);
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
      fc.property(offersOf, untaperedNetworkOf, requestOf, (offers, changes, asked) => {
        const request = { ...asked, seen: undefined };
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
      // Alike, so that many ranks lie close together; two offers weigh as little as can be.
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
      expect(Math.abs(first / SESSIONS - 2 ** -halvings)).toBeLessThan(0.02);
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

/** Tells whether a session sees an offer of which seven is the serial, at a step of pacing. */
const sees = (step: number, i: number, offers: Candidate[], arm: Arm = ARMS.learned) =>
  ids(decide(offers, networkDocument({ paced: [[step, 3, 4]] }), { ...plain, arm, session: `s${i}` })).includes(
    "ofr_even",
  );

describe("an offer that is paced", () => {
  const paced = { ...open, id: "ofr_even", serial: 7, priority: 1 };
  const other = { ...open, id: "ofr_other", serial: 8, priority: 2 };
  it.each([0, 1, 8, 13, 24])("at step %i is shown first to its share of sessions, and to no others", (step) => {
    let seen = 0;
    for (let i = 0; i < 4_000; i++) {
      const isSeen = sees(step, i, [paced, other]);
      if (isSeen) seen += 1;
      // Where nothing else fills an answer, and in whichever order a session is served, it is the same.
      expect(sees(step, i, [paced])).toBe(isSeen);
      expect(sees(step, i, [other, paced], ARMS.random)).toBe(isSeen);
    }
    expect(Math.abs(seen / 4_000 - 2 ** (-step / 8))).toBeLessThan(0.025);
  });

  it("is seen at a larger share by all who see it at a smaller one", () => {
    for (let i = 0; i < 300; i++) {
      const seen = [0, 4, 8, 16, 32].map((step) => sees(step, i, [paced]));
      expect(seen).toEqual(seen.toSorted((a, b) => Number(b) - Number(a)));
    }
  });
});

/** Makes an offer that is paid for by the click, of which nobody knows anything but its price. */
const offer = (id: string, ecpmMicros: number, more: Partial<Candidate> = {}): Candidate => ({
  ...open,
  id: `ofr_${id}`,
  advertiserSerial: 1_000 + id.charCodeAt(0),
  pricing: "CPC",
  ecpmMicros,
  valueMicros: ecpmMicros / 20,
  ...more,
});

const SESSIONS = 12_000;

/** Returns the share of sessions in which each offer comes first. */
const firsts = (candidates: Candidates, session: (i: number) => string, arm: Arm = ARMS.learned) => {
  const counts = new Map(candidates.offers.map(({ id }) => [id, 0]));
  for (let i = 0; i < SESSIONS; i++) {
    const [first] = decideFrom(candidates, network, { ...plain, arm, session: session(i), count: 1 });
    counts.set(first?.id ?? "", (counts.get(first?.id ?? "") ?? 0) + 1);
  }
  return candidates.offers.map(({ id }) => (counts.get(id) ?? 0) / SESSIONS);
};

/** Returns by how much shares differ at most from what is expected of them. */
const strayOf = (shares: readonly number[], expected: readonly number[]): number =>
  Math.max(...expected.map((share, i) => Math.abs((shares[i] ?? 0) - share)));

/** Says that of a thousand impressions some were clicked, in this place and anywhere. */
const seen = (clicks: number) => [0.02, clicks, 1_000, clicks, 1_000];

/** Makes an offer that is paid for by the impression. */
const price = (id: string, valueMicros: number) => offer(id, valueMicros, { pricing: "CPM", valueMicros });

/** Returns the probability of a standard normal variable below x, by adding up its density. */
const normalBelow = (x: number): number => {
  let sum = 0.5;
  for (let i = 0; i < 1_000; i++)
    sum += (Math.exp(-((((i + 0.5) * x) / 1_000) ** 2) / 2) * x) / 1_000 / Math.sqrt(2 * Math.PI);
  return sum;
};

const naming: [string, (i: number) => string][] = [
  ["counted", (i) => `${i}`],
  ["prefixed", (i) => `session-${i.toString(36)}`],
  ["long", (i) => `${"0".repeat(200)}${i}`],
  ["e-mail", (i) => `customer.${i}@shop.example`],
  ["hash-like", (i) => (i * 2_654_435_761).toString(16).padStart(64, "0")],
];

describe("the order within a priority", () => {
  it.each(naming)("puts an offer first as often as its belief is the higher draw, with %s sessions", (_, session) => {
    const learned = { places: [50, 50], strengths: [10, 20], rates: [seen(20), seen(30)] };
    const candidates = { offers: [offer("a", 2_000_000), offer("b", 2_000_000)], learned };
    const [a, b] = candidates.offers.map((each, i) => termsOf(worthOf(each, i, learned)));
    if (!a || !b) throw new Error("there are two offers");
    const expected = normalBelow((b.center - a.center) / Math.hypot(a.spread, b.spread));
    const [one = 0, two = 0] = firsts(candidates, session);
    expect(one + two).toBe(1);
    expect(expected).toBeGreaterThan(0.6);
    expect(expected).toBeLessThan(0.999);
    expect(Math.abs(two - expected)).toBeLessThan(0.02);
  });

  it.each(naming)("shares alike between alike offers, with %s sessions", (_, session) => {
    for (const pricing of ["CPC", "CPM"] as const) {
      const offers = ["a", "b", "c", "d"].map((id) => offer(id, 7_000_000, { pricing, valueMicros: 7_000_000 }));
      for (const share of firsts({ offers }, session)) expect(Math.abs(share - 0.25)).toBeLessThan(0.02);
    }
  });

  it("is certain of what is paid for by the impression", () => {
    expect(firsts({ offers: [price("a", 2_000_000), price("b", 2_010_000)] }, (i) => `s${i}`)).toEqual([0, 1]);
  });

  it.each([
    ["of an advertiser each", undefined],
    ["of one advertiser", 7],
  ])("has the same offers, %s, for sessions that are served at random, each priority in random order", (_, owner) => {
    const prices = { a: 9_000_000, b: 6_000_000, c: 3_000_000, d: 1_000_000 };
    const offers = Object.entries(prices).map(([id, valueMicros]) =>
      offer(id, valueMicros, {
        pricing: "CPM",
        valueMicros,
        ...(owner === undefined ? {} : { advertiserSerial: owner }),
      }),
    );
    const late = { ...price("l", 90_000_000), priority: 6 };
    const places = new Map(ids(offers).map((id) => [id, [0, 0, 0, 0]]));
    for (let i = 0; i < 4_000; i++) {
      const random = { ...plain, arm: ARMS.random, session: `s${i}` };
      const all = ids(decide([late, ...offers], network, random));
      expect(all.toSorted()).toEqual(ids(offers));
      for (const [place, id] of all.entries()) {
        const ofOffer = places.get(id) ?? [];
        ofOffer[place] = (ofOffer[place] ?? 0) + 1 / 4_000;
      }
      const two = ids(decide([late, ...offers], network, { ...random, count: 2 }));
      expect(two.toSorted()).toEqual(["ofr_a", "ofr_b"]);
      expect(ids(decide([late, ...offers.slice(2)], network, random)).at(-1)).toBe("ofr_l");
    }
    for (const shares of places.values()) expect(strayOf(shares, [0.25, 0.25, 0.25, 0.25])).toBeLessThan(0.025);
  });

  it("leaves an offer without expected value a place, behind others", () => {
    expect(ids(decide([offer("a", 0), offer("b", 5_000_000)], network, plain))).toEqual(["ofr_b", "ofr_a"]);
    expect(firsts({ offers: [offer("a", 0), offer("b", 0)] }, (i) => `s${i}`).every((share) => share > 0.4)).toBe(true);
  });

  it("has one offer of an advertiser before a second one of any, and no other priority between them", () => {
    const offers = [
      offer("a", 9_000_000, { advertiserSerial: 1, pricing: "CPM" }),
      offer("b", 8_000_000, { advertiserSerial: 1, pricing: "CPM" }),
      offer("c", 1_000, { advertiserSerial: 2, pricing: "CPM" }),
      offer("d", 9_000_000, { advertiserSerial: 3, pricing: "CPM", priority: 6 }),
    ];
    expect(ids(decide(offers, network, plain))).toEqual(["ofr_a", "ofr_c", "ofr_b", "ofr_d"]);
  });
});

describe("offers that a session has clicked or declined", () => {
  it("come last, and never go out", () => {
    const offers = ["a", "b", "c"].map((id, i) => offer(id, 1_000_000, { priority: 1 + i }));
    const all = { ...plain, seen: ["ofr_a", "ofr_c"] };
    expect(ids(decide(offers, network, { ...plain, seen: ["ofr_a"] }))).toEqual(["ofr_b", "ofr_c", "ofr_a"]);
    expect(ids(decide(offers, network, all))).toEqual(["ofr_b", "ofr_a", "ofr_c"]);
    expect(ids(decide(offers, network, { ...all, count: 1 }))).toEqual(["ofr_b"]);
  });
});

const old = ["a", "b", "c", "d"].map((id) => offer(id, 90_000_000));

const newOnes = (...names: string[]) => names.map((id) => offer(id, 1_000, { isNew: true }));
/** Tells of four old offers much, and of the others how often they were shown. */
const shownOnly = (...exposures: number[]) => ({
  places: [0, 0, 0, 0],
  strengths: [10, 20, 10, 20],
  rates: [
    ...old.map(() => [0.02, 2_000, 100_000, 2_000, 100_000]),
    ...exposures.map((exposure) => [0.02, 0, exposure, 0, exposure]),
  ],
});
/** Makes offers paid by the click, the old ones for six times as much. */
const paid = (one: Candidate): Candidate => ({
  ...one,
  pricing: "CPC",
  valueMicros: one.isNew === true ? 100_000 : 600_000,
});

/** Tells for each place of answers of `count` offers how often it has one of the newcomers, the first place first. */
const placesOf = (candidates: Candidates, count: number, sessions = 4_000): number[] => {
  const places: number[] = Array(count).fill(0);
  for (let i = 0; i < sessions; i++) {
    const chosen = ids(decideFrom(candidates, network, { ...plain, count, session: `s${i}` }));
    const place = chosen.findIndex((id) => id === "ofr_m" || id === "ofr_n");
    if (place !== -1) places[place] = (places[place] ?? 0) + 1 / sessions;
  }
  return places;
};

describe("newcomers", () => {
  it("that hardly anybody has seen have a quarter of the answers of one offer, and share it", () => {
    const one = [...old, ...newOnes("n")].map(paid);
    const shares = firsts({ offers: one, learned: shownOnly(10) }, (i) => `s${i}`);
    expect(Math.abs((shares[4] ?? 0) - 0.25)).toBeLessThan(0.02);
    const two = firsts(
      { offers: [...old, ...newOnes("m", "n")].map(paid), learned: shownOnly(10, 10) },
      (i) => `s${i}`,
    );
    for (const i of [4, 5]) expect(Math.abs((two[i] ?? 0) - 0.125)).toBeLessThan(0.03);
  });

  it("stand behind others in longer answers, in more of them the longer they are, and for some sessions first", () => {
    const one = { offers: [...old, ...newOnes("n")].map(paid), learned: shownOnly(10) };
    expect(strayOf(placesOf(one, 1), [0.25])).toBeLessThan(0.025);
    expect(strayOf(placesOf(one, 2), [0.4 / 16, (0.4 * 15) / 16])).toBeLessThan(0.025);
    expect(strayOf(placesOf(one, 3), [0.6 / 16, 0, (0.6 * 15) / 16])).toBeLessThan(0.025);
    expect(strayOf(placesOf(one, 4), [0.8 / 16, 0, 0, (0.8 * 15) / 16])).toBeLessThan(0.025);
    const ofOne = one.offers.map((each): Candidate => ({ ...each, advertiserSerial: 7 }));
    const owned = placesOf({ ...one, offers: ofOne }, 4);
    expect(strayOf(owned, [0.8 / 16, 0, 0, (0.8 * 15) / 16])).toBeLessThan(0.025);
  });

  it("have the fourth place of answers that are longer", () => {
    const more = ["e", "f", "g", "h"].map((id) => offer(id, 90_000_000));
    const learned = shownOnly(10);
    const rates = [...learned.rates.slice(0, 4), ...learned.rates.slice(0, 4), ...learned.rates.slice(4)];
    const one = { offers: [...old, ...more, ...newOnes("n")].map(paid), learned: { ...learned, rates } };
    expect(strayOf(placesOf(one, 6), [0.8 / 16, 0, 0, (0.8 * 15) / 16, 0, 0])).toBeLessThan(0.025);
  });

  it("that had their chances have two in a hundred each, and no other priority before them", () => {
    const shares = firsts({ offers: [...old, ...newOnes("m", "n")] }, (i) => `s${i}`);
    for (const i of [4, 5]) expect(Math.abs((shares[i] ?? 0) - 0.02)).toBeLessThan(0.01);
    const late = [offer("y", 1, { priority: 6 }), offer("z", 1, { priority: 6 })];
    const learned = shownOnly(10);
    const few = placesOf({ offers: [...old.slice(0, 2), ...late, ...newOnes("n")].map(paid), learned }, 5);
    expect(strayOf(few, [0.8 / 16, 0, 1 - 0.8 / 16, 0, 0])).toBeLessThan(0.025);
  });

  it("have their share beside one of an earlier priority, which may be alone in it", () => {
    const alone = offer("k", 1_000, { isNew: true, priority: 4 });
    const offers = [...old, alone, ...newOnes("n")].map(paid);
    const places = placesOf({ offers, learned: shownOnly(10, 10) }, 4);
    expect(strayOf(places, [0, 0.4 / 16, 0, (0.4 * 15) / 16])).toBeLessThan(0.025);
  });

  it("have their share beside others in priorities that the answer does not reach", () => {
    const rest = ["v", "w", "x", "y", "z"].map((id) => offer(id, 1, { priority: 6 }));
    const first = [...old, ...newOnes("n")].map(paid);
    const tried = first.map((each) => ({ ...each, valueMicros: 600_000 }));
    const told = { ...shownOnly(), rates: [...shownOnly().rates, [0.02, 15, 900, 15, 900]] };
    for (const [offers, learned] of [
      [first, shownOnly(10)],
      [tried, told],
    ] as const) {
      const all = {
        offers: [...offers, ...rest.map(paid)],
        learned: { ...learned, rates: [...learned.rates, ...rest.map(() => [0.02, 0, 0, 0, 0])] },
      };
      for (let i = 0; i < 500; i++) {
        const request = { ...plain, count: 4, session: `s${i}` };
        expect(ids(decideFrom(all, network, request))).toEqual(ids(decideFrom({ offers, learned }, network, request)));
      }
      // An answer of six reaches the next priority, whose five offers share with the one of the first.
      const sixth = (name: string) => ids(decideFrom(all, network, { ...plain, count: 6, session: name }))[5];
      expect(new Set(Array.from({ length: 100 }, (_, i) => sixth(`s${i}`))).size).toBe(5);
    }
    const reached = placesOf({ offers: [...first, ...rest.map(paid)], learned: shownOnly(10, 0, 0, 0, 0, 0) }, 6);
    expect(strayOf(reached.slice(0, 4), [0.8 / 6 / 16, 0, 0, (0.8 * 15) / 6 / 16])).toBeLessThan(0.025);
  });

  it("are held against what is for the request and not last for its session", () => {
    const french = old.map((one) => paid({ ...one, languages: ["fr"] }));
    const usual = { ...paid(offer("e", 1_000)), valueMicros: 100_000 };
    const offers = [...french, usual, ...newOnes("n").map(paid)];
    const rates = [...shownOnly().rates, [0.02, 2_000, 100_000, 2_000, 100_000], [0.02, 0, 100, 0, 100]];
    const candidates = { offers, learned: { ...shownOnly(), rates } };
    const shareFor = (changes: Partial<DecisionRequest>) => {
      const answers = Array.from({ length: 2_000 }, (__, i) =>
        ids(decideFrom(candidates, network, { ...plain, count: 1, session: `s${i}`, ...changes })),
      );
      return answers.filter(([first]) => first === "ofr_n").length / answers.length;
    };
    expect(shareFor({ language: "fr" })).toBe(0);
    expect(Math.abs(shareFor({ language: "en" }) - 0.25)).toBeLessThan(0.03);
    expect(Math.abs(shareFor({ language: "fr", seen: ids(old) }) - 0.25)).toBeLessThan(0.03);
  });

  it("have no privilege where most offers are new, or a priority comes before theirs", () => {
    const all = ["k", "l", "m"].map((id) => offer(id, 1_000, { isNew: true }));
    expect(firsts({ offers: [offer("a", 90_000_000), ...all] }, (i) => `s${i}`)[0]).toBe(1);
    const late = [...old, offer("n", 1_000, { isNew: true, priority: 6 })];
    expect(firsts({ offers: late }, (i) => `s${i}`)[4]).toBe(0);
  });
});

describe("the order of sessions that are held out", () => {
  it("puts an offer first in proportion to its bid and the assumed rate, whatever was learned", () => {
    const offers = [1, 2, 3, 4].map((million) => offer(`${million}`, million * 1_000_000));
    const learned = { places: [50, 50], strengths: [10, 20], rates: [seen(90), seen(1), seen(1), seen(1)] };
    for (const [i, share] of firsts({ offers, learned }, (n) => `s${n}`, ARMS.holdout).entries()) {
      expect(Math.abs(share - (i + 1) / 10)).toBeLessThan(0.02);
    }
  });

  it("keeps to priorities, favours no newcomer, and gives an advertiser what its bids win", () => {
    const offers = [
      offer("a", 90_000_000, { advertiserSerial: 1 }),
      offer("b", 80_000_000, { advertiserSerial: 1 }),
      offer("c", 1, { advertiserSerial: 2, isNew: true }),
      offer("d", 1e12, { advertiserSerial: 3, priority: 6 }),
    ];
    for (let i = 0; i < 200; i++) {
      const chosen = ids(decide(offers, network, { ...plain, arm: ARMS.holdout, session: `s${i}` }));
      expect(chosen.slice(0, 2).toSorted()).toEqual(["ofr_a", "ofr_b"]);
      expect(chosen.slice(2)).toEqual(["ofr_c", "ofr_d"]);
    }
  });

  it("puts what the session has answered last", () => {
    const offers = [offer("a", 90_000_000), offer("b", 1)];
    const request = { ...plain, arm: ARMS.holdout, seen: ["ofr_a"] };
    expect(ids(decide(offers, network, request))).toEqual(["ofr_b", "ofr_a"]);
  });
});

describe("the arm of a session", () => {
  it.each([
    [0, 4, { "0": 0.99, "1": 0.01, "2": 0 }],
    [5, 4, { "0": 0.94, "1": 0.01, "2": 0.05 }],
    [5, 1, { "0": 0.95, "1": 0, "2": 0.05 }],
    [50, 4, { "0": 0.49, "1": 0.01, "2": 0.5 }],
  ])("holds %s %% out, of answers of %s offers", (percent, count, shares) => {
    const arms = Array.from({ length: 100_000 }, (_, i) => armOf(`session-${i}`, count, percent));
    for (const [arm, share] of Object.entries(shares)) {
      expect(Math.abs(arms.filter((one) => one === arm).length / arms.length - share)).toBeLessThan(0.004);
    }
  });

  it("holds out what a smaller share would, too, and five in a hundred where a document does not say", () => {
    const sessions = Array.from({ length: 10_000 }, (_, i) => `${i}`);
    const few = sessions.filter((session) => armOf(session, 4, 5) === ARMS.holdout);
    expect(few.every((session) => armOf(session, 4, 50) === ARMS.holdout)).toBe(true);
    expect(few).toEqual(sessions.filter((session) => armOf(session, 4) === ARMS.holdout));
  });

  it("is random for one in a hundred, and stays the same", () => {
    const sessions = Array.from({ length: 100_000 }, (_, i) => `session-${i}`);
    const random = sessions.filter((session) => armOf(session, 4) === ARMS.random);
    expect(Math.abs(random.length / sessions.length - 0.01)).toBeLessThan(0.002);
    expect(random.every((session) => armOf(session, 4) === ARMS.random)).toBe(true);
  });
});
