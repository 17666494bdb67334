import { describe, expect, it } from "vitest";
import { hash32 } from "../../../functions/core/hash.ts";
import { isFavouring, isTriedFirst } from "../../../functions/decision/standing/draws.ts";
import { hopefulOf, newcomersOf, shareFor, type Newcomer } from "../../../functions/decision/standing/newcomers.ts";
import { offer } from "../../support/deciding.ts";

const newcomer = (isUnseen: boolean): Newcomer => ({ at: 0, hope: 1, isUnseen });
const [unseen, tried] = [newcomer(true), newcomer(false)];
const [a, b] = [offer("a", 1_000), offer("b", 1_000)];
const newOnes = (...names: string[]) => names.map((id) => offer(id, 1_000, { isNew: true }));

/** Tells how often each offer of a list was shown. */
const shown = (...exposures: number[]) => ({
  places: [0, 0],
  strengths: [10, 20],
  rates: exposures.map((each) => [0.02, 0, each, 0, each]),
});

describe("the share of sessions that see a newcomer", () => {
  it.each([
    [1, 0.25],
    [2, 0.4],
    [3, 0.6],
    [4, 0.8],
    [20, 0.8],
  ])("is in answers of %d, as long as one of them has had hardly a chance, %d", (count, share) => {
    expect(shareFor([tried, unseen, tried], count)).toBe(share);
  });

  it.each([
    [0, 1, 0],
    [3, 4, 0.06],
    [41, 4, 0.8],
    [30, 1, 0.25],
  ])("of %d that had their chances, in answers of %d, is %d", (newcomers, count, share) => {
    const all = Array.from({ length: newcomers }, () => tried);
    expect(shareFor(all, count)).toBeCloseTo(share, 10);
  });

  it("is drawn as often as it says, and one session in sixteen sees it first", () => {
    const sessions = Array.from({ length: 40_000 }, (_, i) => hash32(`s${i}`));
    const drawn = [0, 0.02, 0.4, 1].map((share) => sessions.filter((session) => isFavouring(session, share)).length);
    for (const [i, expected] of [0, 800, 16_000, 40_000].entries()) {
      expect(Math.abs((drawn[i] ?? 0) - expected)).toBeLessThan(400);
    }
    expect(Math.abs(sessions.filter(isTriedFirst).length - 40_000 / 16)).toBeLessThan(120);
  });
});

describe("the newcomers of a list", () => {
  it.each([
    ["that are new, where no more than half are", [a, b, ...newOnes("m", "n")], [500, 500, 500, 500], [2, 3]],
    ["none, where most are new", [a, b, ...newOnes("l", "m", "n")], [500, 500, 500, 500, 500], []],
    [
      "that hardly anybody has seen, however old or many",
      [a, b, ...newOnes("l", "m", "n")],
      [10, 500, 500, 10, 500],
      [0, 3],
    ],
    ["that have had 174 of 175 chances", [a, b], [174, 175], [0]],
  ])("are those %s", (_, offers, exposures, found) => {
    expect(newcomersOf(offers, shown(...exposures)).map(({ at }) => at)).toEqual(found);
  });

  it("are unseen until they have had their chances, and none of them is paid for by the impression", () => {
    const told = newcomersOf([a, b, ...newOnes("m", "n")], shown(500, 500, 174, 175));
    expect(told.map(({ isUnseen }) => isUnseen)).toEqual([true, false]);
    expect(newcomersOf([a, b], { ...shown(), rates: [[], []] })).toEqual([]);
    expect(newcomersOf([a, b], undefined)).toEqual([]);
  });

  it.each([
    ["may be worth as much as the best of its priority", 10, [0]],
    ["may not", 9.9, []],
  ])("are hopeful where it %s", (_, hope, found) => {
    const near = [{ at: 0, hope, isUnseen: true }];
    // Another newcomer, an offer of another priority and one that comes last are worth more, and keep none back.
    const terms = {
      newcomers: [...near, { at: 1, hope: 1, isUnseen: true }],
      expected: Float64Array.of(1, 50, 10, 60, 70),
    };
    const levels = Int32Array.of(10, 10, 11, 8, 2_010);
    expect(hopefulOf(near, terms, levels).map(({ at }) => at)).toEqual(found);
  });
});
