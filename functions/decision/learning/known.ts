import type { RateSums } from "../../../db/learning/sums.ts";
import type { Evidence, Strengths } from "./belief.ts";
import type { Folded, Known } from "./fold.ts";
import { faded, minus, NO_SUMS, plus, ripe } from "./sums.ts";

/** Names a placement and country among known sums. */
export const placeName = (placementId: string, country: string): string => `${placementId} ${country}`;

/** Names an offer in a placement and country among known sums. */
export const cellName = (placementId: string, country: string, offerId: string): string =>
  `${placementId} ${country} ${offerId}`;

/** Holds sums by the weights of their days, as tables do, and what part of each offer's conversions has come. */
export type Rates = {
  cells: Map<string, RateSums>;
  offers: Map<string, RateSums>;
  advertisers: Map<string, RateSums>;
  places: Map<string, RateSums>;
  network: RateSums;
  slots: Evidence[];
  maturities: { get: (offerId: string) => number | undefined };
  /** Holds the part of all conversions that has come. */
  maturity: number;
  strengths: readonly [Strengths, Strengths];
};

const addTo = (sums: Map<string, RateSums>, name: string, part: RateSums): void => {
  sums.set(name, plus(sums.get(name) ?? NO_SUMS, part));
};

/** Adds what was folded to rates. */
export const addFolded = (rates: Rates, { cells, offers, advertisers, places, network, slots }: Folded): void => {
  for (const cell of cells) addTo(rates.cells, cellName(cell.placementId, cell.country, cell.offerId), cell);
  for (const offer of offers) addTo(rates.offers, offer.offerId, offer);
  for (const advertiser of advertisers) addTo(rates.advertisers, advertiser.advertiserId, advertiser);
  for (const place of places) addTo(rates.places, placeName(place.placementId, place.country), place);
  rates.network = plus(rates.network, network);
  for (const { place, count, exposure } of slots) {
    const slot = rates.slots[place] ?? { count: 0, exposure: 0 };
    rates.slots[place] = { count: slot.count + count, exposure: slot.exposure + exposure };
  }
};

/** Tells what is known so far, also of offers in a placement and country. */
export type KnownCells = Known & { cell: (placementId: string, country: string, offerId: string) => RateSums };

/**
 * Reads rates as what is known today.
 *
 * @param weight the weight of today
 */
export const knownOf = (rates: Rates, weight: number): KnownCells => {
  const at = (sums: Map<string, RateSums>, name: string): RateSums => faded(sums.get(name) ?? NO_SUMS, weight);
  const maturity = (offerId: string) => rates.maturities.get(offerId) ?? 1;
  return {
    cell: (placementId, country, offerId) =>
      ripe(at(rates.cells, cellName(placementId, country, offerId)), maturity(offerId)),
    offer: (id) => ripe(at(rates.offers, id), maturity(id)),
    others: (advertiserId, id) =>
      ripe(minus(at(rates.advertisers, advertiserId), at(rates.offers, id)), rates.maturity),
    place: (placementId, country) => ripe(at(rates.places, placeName(placementId, country)), rates.maturity),
    network: ripe(faded(rates.network, weight), rates.maturity),
    slots: Array.from(rates.slots, (slot) => ({
      count: (slot?.count ?? 0) / weight,
      exposure: (slot?.exposure ?? 0) / weight,
    })),
    strengths: rates.strengths,
  };
};
