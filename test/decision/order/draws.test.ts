import { describe, expect, it } from "vitest";
import { ARMS } from "../../../functions/decision/arms.ts";
import { termsOf, worthOf } from "../../../functions/decision/learning/score.ts";
import { decide, firsts, ids, network, offer, plain, seen, strayOf } from "../../support/deciding.ts";

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
