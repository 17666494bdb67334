import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../db/documents/types.ts";
import type { Candidates } from "../../../functions/decision/columns.ts";
import type { DecisionRequest } from "../../../functions/decision/eligibility.ts";
import { decide as decideFrom } from "../../../functions/decision/order.ts";
import { firsts, ids, network, offer, plain, strayOf } from "../../support/deciding.ts";

const old = ["a", "b", "c", "d"].map((id) => offer(id, 90_000_000));

const newOnes = (...names: string[]) => names.map((id) => offer(id, 1_000, { isNew: true }));
/** Makes rates: four old offers are well known, and the others were shown the given number of times. */
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

/**
 * Counts, for each place in answers of `count` offers, how often it has one of the newcomers, the first place first.
 */
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
        // Those of the first priority are more than an answer has, or as many.
        const request = { ...plain, count: i % 2 ? 4 : 5, session: `s${i}` };
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
