import { describe, expect, it } from "vitest";
import type { CandidatesDocument } from "../../db/documents/types.ts";
import {
  answer,
  comesShort,
  isCut,
  lacksOffers,
  type Answer,
  type Situation,
} from "../../functions/decision/decide.ts";
import { SAMPLE_OFFERS } from "../../functions/decision/samples.ts";
import { offer, plain } from "../support/deciding.ts";
import { candidatesDocument, networkDocument, placementDocument } from "../support/documents/documents.ts";

const { now } = plain;
const offers = ["a", "b", "c", "d", "e", "f"].map((id, i) => offer(id, 1_000_000, { serial: i + 1 }));

/** Holds a network in which the last of the offers changed since lists were built. */
const changed = networkDocument({ since: now, offers: [[1, offers.length]] });

/** Makes a list of new offers, so that no test gets what was remembered of another's. */
const listOf = (overrides: Partial<CandidatesDocument> = {}): CandidatesDocument =>
  candidatesDocument([...offers], overrides);

const situationOf = (overrides: Partial<Situation> = {}): Situation => ({
  publisher: { status: "active", adsEnabled: true },
  placement: placementDocument(),
  candidates: listOf(),
  network: networkDocument(),
  ...overrides,
});

const answerOf = (count: number, overrides: Partial<Answer> = {}): Answer => ({
  chosen: offers.slice(0, count),
  isTest: false,
  noFillReason: count === 0 ? "no_eligible_offer" : null,
  ...overrides,
});

describe("a list", () => {
  it.each<[string, Partial<CandidatesDocument>, boolean]>([
    ["that has all", {}, false],
    ["that was cut", { cut: true }, true],
    ["to which an offer comes later", { reopensAt: now + 1 }, false],
    ["to which an offer comes now", { reopensAt: now }, true],
    ["to which an offer came", { reopensAt: now - 1 }, true],
    ["that was cut, and to which an offer comes later", { cut: true, reopensAt: now + 1 }, true],
  ])("%s: %j lacks offers: %s", (_, overrides, expected) => {
    expect(isCut(listOf(overrides), now)).toBe(expected);
    expect(lacksOffers(listOf(overrides), networkDocument(), now)).toBe(expected);
  });

  it("lacks offers of which one changed", () => {
    expect(lacksOffers(listOf(), changed, now)).toBe(true);
    expect(lacksOffers(listOf(), null, now)).toBe(false);
  });
});

describe("an answer", () => {
  const cut = situationOf({ candidates: listOf({ cut: true }) });
  const withheld = situationOf({ network: changed });
  const ask = { ...plain, count: 6 };

  it.each<[string, Situation, Answer, boolean]>([
    ["of a whole list", situationOf(), answerOf(3), false],
    ["of a cut list", cut, answerOf(5), true],
    ["of a cut list that has as many as were asked for", cut, answerOf(6), false],
    ["of nothing from a cut list", cut, answerOf(0), true],
    ["of three, where an offer changed", withheld, answerOf(3), true],
    ["of four, where an offer changed", withheld, answerOf(4), false],
    ["of samples", cut, answerOf(3, { isTest: true }), false],
    ["that a switch keeps empty", cut, answerOf(0, { noFillReason: "site_ads_disabled" }), false],
    ["of no list", situationOf({ candidates: null }), answerOf(0), false],
  ])("%s comes short or not", (_, situation, given, expected) => {
    expect(comesShort(situation, given, ask)).toBe(expected);
  });

  it("has samples in test mode, as many as were asked for, and offers in live mode", () => {
    const test = situationOf({ placement: placementDocument({ isLiveMode: false }) });
    const samples = { chosen: SAMPLE_OFFERS.slice(0, 2), isTest: true, noFillReason: null };
    expect(answer(test, { ...plain, count: 2 })).toEqual(samples);
    const { chosen, ...rest } = answer(situationOf(), { ...plain, count: 2 });
    expect(rest).toEqual({ isTest: false, noFillReason: null });
    expect(chosen).toHaveLength(2);
    expect(offers).toEqual(expect.arrayContaining([...chosen]));
  });

  it.each<[string, Partial<Situation>, Answer]>([
    ["no list", { candidates: null }, answerOf(0)],
    ["a list of none", { candidates: candidatesDocument([]) }, answerOf(0)],
    [
      "a switch",
      { publisher: { status: "active", adsEnabled: false } },
      answerOf(0, { noFillReason: "publisher_ads_disabled" }),
    ],
    [
      "a switch in test mode",
      { placement: placementDocument({ isLiveMode: false, status: "inactive" }) },
      answerOf(0, { isTest: true, noFillReason: "placement_inactive" }),
    ],
  ])("of %s is empty, and says why", (_, overrides, expected) => {
    expect(answer(situationOf(overrides), plain)).toEqual(expected);
  });
});
