import { describe, expect, it } from "vitest";
import { fold, type Increase, type KnownCells } from "../../../functions/decision/learning/fold.ts";
import { addFolded, knownOf } from "../../../functions/decision/learning/known.ts";
import {
  clickedOf,
  liftElsewhere as elsewhere,
  lineLift as onLine,
} from "../../../functions/decision/learning/lines.ts";
import { NO_CELL } from "../../../functions/decision/learning/sums.ts";
import { makeRates } from "../../support/learning/rates.ts";

const DAY = 20_454;
const ONE = { offerId: "ofr_1", advertiserId: "adv_1", pricing: "CPC" } as const;

const lineLift = (known: KnownCells, placementId: string, country: string) =>
  onLine(known, clickedOf(known, ONE), placementId, country);
const liftElsewhere = (known: KnownCells, placementId: string, country: string) =>
  elsewhere(known, clickedOf(known, ONE), placementId, country, known.cell(placementId, country, ONE.offerId));

type Seen = readonly [placementId: string, country: string, impressions: number, clicks: number];

/**
 * Learns what was seen of an offer at placements and countries, beside another that was clicked equally everywhere:
 * what all offers of a place have in common does not lift one.
 */
const learnedOf = (...seen: Seen[]): KnownCells => {
  const rates = makeRates();
  const learn = (offer: Pick<Increase, "offerId" | "advertiserId">, seenOf: readonly Seen[]) => {
    for (const [placementId, country, impressions, clicks] of seenOf) {
      const counts = { impressions, clicks, clicked: 0, conversions: 0 };
      const increase = { ...offer, day: DAY, placementId, country, isRandom: false, place: 0, ...counts };
      addFolded(rates, fold([increase], knownOf(rates, 1), { halfLife: 60, origin: DAY }));
    }
  };
  const other = { offerId: "ofr_2", advertiserId: "adv_2" };
  learn(
    other,
    seen.map(([placementId, country]) => [placementId, country, 1_000_000, 20_000]),
  );
  learn(ONE, seen);
  return knownOf(rates, 1);
};

describe("an offer's lift", () => {
  it("is none where nothing is known", () => {
    expect(lineLift(learnedOf(), "plc_1", "")).toBe(1);
    expect(liftElsewhere(learnedOf(), "plc_1", "DE")).toBe(1);
  });

  const known = learnedOf(["plc_1", "DE", 10_000, 600], ["plc_1", "US", 10_000, 100], ["plc_2", "US", 10_000, 150]);

  it("is large where it is clicked more than anywhere, and small where less", () => {
    expect(lineLift(known, "", "DE")).toBeGreaterThan(1.3);
    expect(lineLift(known, "", "US")).toBeLessThan(0.8);
    expect(lineLift(known, "plc_2", "")).toBeLessThan(0.9);
  });

  it("comes to a placement from the country's others, and to a country from the placement's others", () => {
    expect(liftElsewhere(known, "plc_3", "DE")).toBeCloseTo(lineLift(known, "", "DE"), 12);
    expect(liftElsewhere(known, "plc_2", "FR")).toBeCloseTo(lineLift(known, "plc_2", ""), 12);
    const both = lineLift(known, "plc_2", "") * lineLift(known, "", "DE");
    expect(liftElsewhere(known, "plc_2", "DE")).toBeCloseTo(both, 12);
  });

  it("leaves out what happened here, which is believed for itself", () => {
    const seen = Array.from({ length: 100 }, (): Seen[] => [
      ["plc_1", "DE", 100, 4],
      ["plc_2", "US", 100, 1],
    ]).flat();
    const two = learnedOf(...seen);
    expect(lineLift(two, "plc_1", "")).toBeGreaterThan(1.05);
    expect(liftElsewhere(two, "plc_1", "FR")).toBeGreaterThan(1.05);
    expect(liftElsewhere(two, "plc_1", "DE")).toBe(1);
  });

  it("is at most four, and at least a fourth", () => {
    const extreme = learnedOf(["plc_1", "DE", 100, 100], ["plc_2", "US", 100_000, 100], ["plc_3", "FR", 100_000, 0]);
    expect(lineLift(extreme, "", "DE")).toBe(4);
    expect(lineLift(extreme, "", "FR")).toBe(0.25);
  });

  it("is none where every impression is paid for", () => {
    const clicked = clickedOf(known, { ...ONE, pricing: "CPM" });
    expect(onLine(known, clicked, "", "DE")).toBe(1);
    expect(elsewhere(known, clicked, "plc_3", "DE", NO_CELL)).toBe(1);
  });

  it("is drawn towards none while little is known", () => {
    const little = learnedOf(["plc_1", "DE", 20, 2], ["plc_2", "US", 2_000, 40]);
    expect(lineLift(little, "", "DE")).toBeLessThan(1.1);
  });
});
