import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { meanOf } from "../../../functions/decision/learning/belief.ts";
import type { RateSums } from "../../../db/learning/sums.ts";
import {
  fold,
  offerRate,
  USUAL,
  type Folded,
  type Increase,
  type KnownCells,
} from "../../../functions/decision/learning/fold.ts";
import { minus, NO_SUMS } from "../../../functions/decision/learning/sums.ts";

const DAY = 20_454;
const FADING = { halfLife: 60, origin: DAY };

const known = (overrides: Partial<KnownCells> = {}): KnownCells => ({
  cell: () => ({ ...NO_SUMS, anywhere: 0 }),
  offer: () => NO_SUMS,
  others: () => NO_SUMS,
  place: () => NO_SUMS,
  network: NO_SUMS,
  slots: [],
  strengths: USUAL,
  ...overrides,
});

const increase = (overrides: Partial<Increase> = {}): Increase => ({
  day: DAY,
  placementId: "plc_1",
  country: "DE",
  offerId: "ofr_1",
  advertiserId: "adv_1",
  isRandom: false,
  place: 0,
  impressions: 100,
  clicks: 3,
  clicked: 3,
  conversions: 1,
  ...overrides,
});

const increases = fc.array(
  fc.record({
    day: fc.integer({ min: DAY, max: DAY + 100 }),
    placementId: fc.constantFrom("plc_1", "plc_2"),
    country: fc.constantFrom("DE", "US"),
    offerId: fc.constantFrom("ofr_1", "ofr_2", "ofr_3"),
    advertiserId: fc.constantFrom("adv_1"),
    isRandom: fc.boolean(),
    place: fc.nat(3),
    impressions: fc.nat(1_000),
    clicks: fc.nat(100),
    clicked: fc.nat(100),
    conversions: fc.nat(10),
  }),
  { maxLength: 20 },
);

/** Maps what was folded by name, in no order. */
const numbersOf = (...parts: Folded[]): Map<string, number> => {
  const numbers = new Map<string, number>();
  const add = (name: string, sums: Partial<RateSums> & { count?: number }) => {
    for (const [key, value] of Object.entries(sums)) {
      if (typeof value !== "number" || key === "place") continue;
      numbers.set(`${name} ${key}`, (numbers.get(`${name} ${key}`) ?? 0) + value);
    }
  };
  for (const { cells, offers, advertisers, places, network, slots } of parts) {
    for (const cell of cells) add(`cell ${cell.placementId} ${cell.country} ${cell.offerId}`, cell);
    for (const offer of offers) add(`offer ${offer.offerId}`, offer);
    for (const advertiser of advertisers) add(`advertiser ${advertiser.advertiserId}`, advertiser);
    for (const place of places) add(`place ${place.placementId} ${place.country}`, place);
    add("network", network);
    for (const slot of slots) add(`slot ${slot.place}`, slot);
  }
  return numbers;
};

describe("fold", () => {
  it("adds up what was counted", () => {
    const { cells, offers, advertisers, places, network, slots } = fold(
      [increase(), increase({ clicks: 1, clicked: 1 })],
      known(),
      FADING,
    );
    const sums = { offerId: "ofr_1", clicks: 4, exposure: 200, conversions: 2, clicked: 4, anywhere: 200 };
    expect(cells).toEqual([
      { placementId: "plc_1", country: "DE", ...sums },
      { placementId: "plc_1", country: "", ...sums },
      { placementId: "", country: "DE", ...sums },
    ]);
    expect(offers).toMatchObject([{ offerId: "ofr_1", clicks: 4, exposure: 200 }]);
    expect(advertisers).toMatchObject([{ advertiserId: "adv_1", clicks: 4, exposure: 200 }]);
    // Two clicks of a hundred impressions are expected where nothing is known, and one conversion of twenty clicks.
    // Of that, what an offer tells of a place falls as it tells more.
    const [toldOfTwo, toldOfFew, toldOfFewer] = [5 / (5 + 2), 5 / (5 + 0.15), 5 / (5 + 0.05)];
    const place = {
      clicks: expect.closeTo(4 * toldOfTwo, 9),
      exposure: expect.closeTo(4 * toldOfTwo, 9),
      conversions: expect.closeTo(toldOfFew + toldOfFewer, 9),
      clicked: expect.closeTo(0.15 * toldOfFew + 0.05 * toldOfFewer, 9),
    };
    expect(places).toEqual([
      { placementId: "plc_1", country: "DE", ...place },
      { placementId: "plc_1", country: "", ...place },
      { placementId: "", country: "DE", ...place },
      { placementId: "", country: "", ...place },
    ]);
    expect(network).toMatchObject({ clicks: 4, exposure: 200 });
    expect(slots).toEqual([]);
  });

  it("of a whole adds what its parts add, while what is known stays the same", () => {
    fc.assert(
      fc.property(increases, increases, (one, other) => {
        const whole = numbersOf(fold([...one, ...other], known(), FADING));
        const parts = numbersOf(fold(one, known(), FADING), fold(other, known(), FADING));
        expect([...whole.keys()].toSorted()).toEqual([...parts.keys()].toSorted());
        for (const [name, value] of whole) expect(value).toBeCloseTo(parts.get(name) ?? Number.NaN, 6);
      }),
    );
  });

  it("learns how often an offer is clicked, and how often its clicks convert, from clicks of their own", () => {
    const { cells, offers, advertisers, network } = fold([increase({ clicked: 2 })], known(), FADING);
    for (const sums of [...cells, ...offers, ...advertisers, network]) {
      expect(sums).toMatchObject({ clicks: 3, clicked: 2, conversions: 1 });
    }
    expect(offers).toMatchObject([{ counted: 2 }]);
  });

  it("weighs what happened by its day", () => {
    const [early] = fold([increase()], known(), FADING).cells;
    const [late] = fold([increase({ day: DAY + 60 })], known(), FADING).cells;
    expect(late).toMatchObject({ clicks: 6, exposure: 200, conversions: 2 });
    expect(early).toMatchObject({ clicks: 3, exposure: 100, conversions: 1 });
  });

  it("counts an impression by what its place in the answer is worth", () => {
    const slots = [
      { count: 20_000, exposure: 20_000 },
      { count: 10_000, exposure: 20_000 },
    ];
    const [second] = fold([increase({ place: 1 })], known({ slots }), FADING).cells;
    expect(second?.exposure).toBeCloseTo(50, 0);
    expect(second?.clicks).toBe(3);
  });

  it("counts an offer's impressions anywhere by the factor of where they were", () => {
    const twice: RateSums = { ...NO_SUMS, clicks: 20_000, exposure: 10_000 };
    const { cells, offers } = fold([increase()], known({ place: () => twice }), FADING);
    const [cell, ...lines] = cells;
    expect(cell?.exposure).toBe(100);
    expect(cell?.anywhere).toBeCloseTo(200, 0);
    for (const { exposure } of [...lines, ...offers]) expect(exposure).toBeCloseTo(200, 0);
    expect(lines).toHaveLength(2);
  });

  it("expects of a placement what its countries say, and of a country what its placements say", () => {
    const twice: RateSums = { ...NO_SUMS, clicks: 20_000, exposure: 10_000 };
    const thrice: RateSums = { ...NO_SUMS, clicks: 30_000, exposure: 10_000 };
    const place = (placementId: string, country: string) =>
      placementId === "" ? twice : country === "" ? thrice : NO_SUMS;
    const { places } = fold([increase()], known({ place }), FADING);
    const all = places.at(-1)?.exposure ?? 0;
    const times = places.map(({ placementId, country, exposure }) => [
      placementId,
      country,
      Math.round(exposure / all),
    ]);
    expect(times).toEqual([
      ["plc_1", "DE", 1],
      ["plc_1", "", 2],
      ["", "DE", 3],
      ["", "", 1],
    ]);
  });

  it("lets no offer tell more of a place than five events, however often it is shown there", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 100_000 }), { maxLength: 30 }), (shown) => {
        let exposure = 0;
        let told = 0;
        for (const impressions of shown) {
          const folded = fold(
            [increase({ impressions })],
            known({ cell: () => ({ ...NO_SUMS, exposure, anywhere: exposure }) }),
            FADING,
          );
          told += folded.places[0]?.exposure ?? Number.NaN;
          exposure += impressions;
        }
        const expected = 0.02 * exposure;
        expect(told).toBeCloseTo((5 * expected) / (5 + expected), 6);
      }),
    );
  });

  it("learns what places are worth from sessions served at random alone", () => {
    const { slots } = fold(
      [increase({ place: 2 }), increase({ place: 2, isRandom: true, clicks: 5 })],
      known(),
      FADING,
    );
    expect(slots).toEqual([{ place: 2, count: 5, exposure: expect.closeTo(2) as number }]);
  });
});

const seenSums = (clicks: number, exposure: number): RateSums => ({ ...NO_SUMS, clicks, exposure });

describe("offerRate", () => {
  it("draws an offer towards the others of its advertiser, and those towards the network", () => {
    const of = (own: RateSums, advertiser: RateSums) =>
      meanOf(
        offerRate(
          known({ offer: () => own, others: () => minus(advertiser, own), network: seenSums(2_000, 100_000) }),
          "ofr_1",
          "adv_1",
          0,
        ),
      );
    expect(of(NO_SUMS, NO_SUMS)).toBeCloseTo(0.02, 4);
    // However much is known of the others, they are only a few offers: their rate counts for a third.
    expect(of(NO_SUMS, seenSums(5_000, 100_000))).toBeCloseTo(0.03, 3);
    expect(of(seenSums(10_000, 100_000), seenSums(10_000, 100_000))).toBeCloseTo(0.1, 3);
    // An offer that began badly is not believed worse because its advertiser has no other.
    expect(of(seenSums(0, 100), seenSums(0, 100))).toBeCloseTo(10 / (10 / 0.02 + 100), 4);
  });
});
