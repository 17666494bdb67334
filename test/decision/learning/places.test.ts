import { describe, expect, it } from "vitest";
import { drawnTo, placeFactor } from "../../../functions/decision/learning/belief.ts";
import { liftOf } from "../../../functions/decision/learning/bounds.ts";
import { fold, type Increase, type KnownCells } from "../../../functions/decision/learning/fold.ts";
import { addFolded, knownOf } from "../../../functions/decision/learning/known.ts";
import { clickedOf, liftElsewhere } from "../../../functions/decision/learning/lines.ts";
import { knownPlaces, type Places } from "../../../functions/decision/learning/places.ts";
import { evidenceOf, NO_CELL, NO_SUMS } from "../../../functions/decision/learning/sums.ts";
import { makeRates } from "../../support/learning/rates.ts";

const MUCH = 1_000_000;

/** Makes places where clicks were the given multiple of those expected; of other places nothing is known. */
const happened =
  (factors: Record<string, number>, exposure = MUCH): Places =>
  (placementId, country) => {
    const factor = factors[`${placementId}/${country}`];
    return factor === undefined ? NO_SUMS : { ...NO_SUMS, clicks: factor * exposure, exposure };
  };

const factorAt = (places: Places, placementId: string, country: string): number =>
  placeFactor(evidenceOf(places(placementId, country), 0));

/** Makes places with many clicks, and no impression that could have led to one. */
const onlyClicked: Places = () => ({ ...NO_SUMS, clicks: 5_000 });

describe("the factor of a placement and country", () => {
  it("is 1 where nothing is known of either", () => {
    expect(factorAt(knownPlaces(happened({})), "plc_1", "DE")).toBe(1);
  });

  it("is the product of both factors where they meet for the first time", () => {
    const known = knownPlaces(happened({ "plc_1/": 3, "/DE": 0.5 }));
    expect(factorAt(known, "plc_1", "DE")).toBeCloseTo(1.5, 2);
    expect(factorAt(known, "plc_1", "FR")).toBeCloseTo(3, 2);
    expect(factorAt(known, "plc_2", "DE")).toBeCloseTo(0.5, 2);
  });

  it("is what happened there, where much did", () => {
    const known = knownPlaces(happened({ "plc_1/DE": 2, "plc_1/": 5, "/DE": 0.1 }));
    expect(factorAt(known, "plc_1", "DE")).toBeCloseTo(2, 2);
  });

  it("is drawn towards the product while little happened", () => {
    const known = knownPlaces((placementId, country) =>
      placementId !== "" && country !== ""
        ? { ...NO_SUMS, clicks: 0, exposure: 20 }
        : happened({ "plc_1/": 2 })(placementId, country),
    );
    const factor = factorAt(known, "plc_1", "DE");
    expect(factor).toBeGreaterThan(0.4);
    expect(factor).toBeLessThan(1);
  });

  it("is no merit of a place where everything is clicked more than was expected", () => {
    const known = knownPlaces(happened({ "/": 4, "plc_1/": 4, "/DE": 4, "plc_1/DE": 4 }));
    for (const [placementId, country] of [
      ["plc_1", "DE"],
      ["plc_1", "US"],
      ["plc_2", "DE"],
    ] as const)
      expect(factorAt(known, placementId, country)).toBeCloseTo(1, 2);
  });

  it("stays a factor at the only shop of a country that reports clicks and no impressions", () => {
    expect(factorAt(knownPlaces(onlyClicked), "plc_1", "DE")).toBe(20);
    const besides: Places = (...names) => (names.join("") === "" ? NO_SUMS : onlyClicked(...names));
    expect(factorAt(knownPlaces(besides), "plc_1", "DE")).toBe(20);
  });

  it("counts conversions of clicks by what happened to conversions", () => {
    const known = knownPlaces((placementId, country) =>
      placementId === "plc_1" && country === "" ? { ...NO_SUMS, conversions: 2 * MUCH, clicked: MUCH } : NO_SUMS,
    );
    expect(placeFactor(evidenceOf(known("plc_1", "DE"), 1))).toBeCloseTo(2, 2);
    expect(factorAt(known, "plc_1", "DE")).toBe(1);
  });
});

describe("drawnTo", () => {
  it.each([0.1, 1, 7])("draws a factor of which nothing is known to %d", (usual) => {
    expect(placeFactor({ count: 0, exposure: drawnTo(usual) })).toBeCloseTo(usual, 12);
  });
});

/**
 * Learns offers of three advertisers at a number of placements, where customers click twice as often in DE as in US.
 */
const learnedOf = (placements: number): KnownCells => {
  const rates = makeRates();
  for (let round = 0; round < 10; round++) {
    for (let placement = 0; placement < placements; placement++) {
      const increases = ["DE", "US"].flatMap((country) =>
        [1, 2, 3].map((offer): Increase => ({
          day: 20_454,
          placementId: `plc_${placement}`,
          country,
          offerId: `ofr_${offer}`,
          advertiserId: `adv_${offer}`,
          isRandom: false,
          place: 0,
          impressions: 20,
          clicks: 20 * (country === "DE" ? 0.06 : 0.03),
          clicked: 0,
          conversions: 0,
        })),
      );
      addFolded(rates, fold(increases, knownOf(rates, 1), { halfLife: 60, origin: 20_454 }));
    }
  }
  return knownOf(rates, 1);
};

describe("what is learned of countries at many placements", () => {
  const known = learnedOf(40);
  const offer = { offerId: "ofr_1", advertiserId: "adv_1", pricing: "CPC" } as const;

  it("is known at a placement where nobody from there was", () => {
    const ratio = factorAt(known.place, "plc_new", "DE") / factorAt(known.place, "plc_new", "US");
    expect(ratio).toBeGreaterThan(1.8);
    expect(ratio).toBeLessThan(2.2);
  });

  it("is no merit of the offers that were shown there, beside others that were not", () => {
    for (const country of ["DE", "US"]) {
      const cell = known.cell("plc_1", country, offer.offerId);
      const lift = liftElsewhere(known, clickedOf(known, offer), "plc_1", country, cell);
      expect(Math.abs(liftOf(known, offer, cell, known.place("plc_1", country), lift) - 1)).toBeLessThan(0.15);
    }
  });

  it("is no merit of the offers that were shown there, at a place where none of them was", () => {
    for (const country of ["DE", "US"]) {
      const lift = liftElsewhere(known, clickedOf(known, offer), "plc_new", country, NO_CELL);
      expect(Math.abs(lift - 1)).toBeLessThan(0.15);
    }
  });
});
