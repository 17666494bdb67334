import { describe, expect, it } from "vitest";
import type { CellSums, Fading } from "../../db/learning/sums.ts";
import { fold, type Increase } from "../../functions/decision/learning/fold.ts";
import { addFolded, knownOf } from "../../functions/decision/learning/known.ts";
import { weightOf } from "../../functions/decision/learning/sums.ts";
import { makeRates } from "../support/learning/rates.ts";
import { createShifting } from "./policies/shifting.ts";

const START = 20_000;
const FADING: Fading = { halfLife: 60, origin: START };

/** Sets after how many days something changes, and how many days there are. */
const CHANGE = 40;
const DAYS = 55;

/** Sets how many times a day counts are learned from. */
const PARTS = 8;

/** Returns how often an offer is shown and clicked in a part of a day, from its clicks in the whole day. */
const shown = (
  clicks: number,
  { offerId = "ofr_1", clicked = 0, conversions = 0, ...more }: Partial<Increase> = {},
): Increase => ({
  day: START,
  placementId: "plc_1",
  country: "US",
  offerId,
  advertiserId: `adv_of_${offerId}`,
  isRandom: false,
  place: 0,
  ...more,
  impressions: 1_000 / PARTS,
  clicks: clicks / PARTS,
  clicked: clicked / PARTS,
  conversions: conversions / PARTS,
});

/** Returns the same for eight other offers. */
const others = (clicks: number, placementId = "plc_1"): Increase[] =>
  Array.from({ length: 8 }, (_, i) => shown(clicks, { offerId: `other_${i}`, placementId }));

/**
 * Learns each day part by part, looks for shifts once a day, and returns what is known of the offer at its first
 * placement.
 */
const learnedOf = (shownOn: (hasChanged: boolean, isEven: boolean) => Increase[]): CellSums => {
  const rates = makeRates({ maturities: { get: () => 1 } });
  const shifting = createShifting();
  const owners = new Map<string, string>();
  const knownAt = (day: number) => knownOf(rates, weightOf(day, FADING));
  for (let day = START; day < START + DAYS; day++) {
    const counted = shownOn(day >= START + CHANGE, day % 2 === 0);
    for (const increase of counted) increase.day = day;
    for (const { offerId, advertiserId } of counted) owners.set(offerId, advertiserId);
    for (let part = 0; part < PARTS; part++) {
      const folded = fold(counted, knownAt(day), FADING);
      addFolded(rates, folded);
      shifting.add(folded.days);
    }
    shifting.judge(rates, owners, day, weightOf(day, FADING));
  }
  return knownAt(START + DAYS - 1).cell("plc_1", "US", "ofr_1");
};

/** Returns the click rate that the offer is believed to have. */
const rateOf = ({ clicks, exposure }: CellSums) => clicks / exposure;

describe("what is known of an offer", () => {
  it("follows a rate that falls to a half", () => {
    const known = learnedOf((hasChanged) => [...others(30), shown(hasChanged ? 15 : 30)]);
    expect(rateOf(known)).toBeLessThan(0.019);
    expect(known.clicks).toBeLessThan(400);
  });

  it("follows a rate that doubles", () => {
    const known = learnedOf((hasChanged) => [...others(30), shown(hasChanged ? 60 : 30)]);
    expect(rateOf(known)).toBeGreaterThan(0.053);
  });

  it.each<[string, (hasChanged: boolean, isEven: boolean) => Increase[]]>([
    ["its rate stays", () => [...others(30), shown(30)]],
    ["it swings by a tenth", (_changed, isEven) => [...others(30), shown(isEven ? 33 : 27)]],
    [
      "it comes to a placement where it is liked less",
      (hasChanged) => [...others(30), shown(30), ...(hasChanged ? [shown(5, { placementId: "plc_2" })] : [])],
    ],
    [
      "it comes to a placement where all are clicked less",
      (hasChanged) => [
        ...others(30),
        shown(30),
        ...(hasChanged ? [...others(5, "plc_2"), shown(5, { placementId: "plc_2" })] : []),
      ],
    ],
  ])("counts in full where %s", (_, shownOn) => {
    const known = learnedOf(shownOn);
    expect(rateOf(known)).toBeCloseTo(0.03, 3);
    expect(known.clicks).toBeGreaterThan(1_000);
  });

  it("counts in full in a season in which all offers are clicked twice as often", () => {
    const known = learnedOf((hasChanged) => (hasChanged ? [...others(60), shown(60)] : [...others(30), shown(30)]));
    expect(known.clicks).toBeGreaterThan(1_200);
  });

  it.each([
    ["more clicks convert less often", 20, 100],
    ["fewer clicks convert more often", 100, 20],
  ])("tells the same of what an offer earns by the conversion, where %s", (_, before, after) => {
    const { clicks, exposure, conversions, clicked } = learnedOf((hasChanged) => {
      const clicksOf = hasChanged ? after : before;
      return [...others(30), shown(clicksOf, { clicked: clicksOf, conversions: 1 })];
    });
    expect(clicks / exposure).toBeCloseTo(after / 1_000, 2);
    expect((clicks / exposure) * (conversions / clicked)).toBeCloseTo(0.001, 5);
  });
});
