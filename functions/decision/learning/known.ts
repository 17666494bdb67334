import type { CellSums, RateSums } from "../../../db/learning/sums.ts";
import type { Evidence, Strengths } from "./belief.ts";
import type { Folded, KnownCells } from "./fold.ts";
import { knownPlaces, type Places } from "./places.ts";
import { faded, fadedCell, minus, NO_CELL, NO_SUMS, plus, plusCell, ripe } from "./sums.ts";

/** Names a placement and country among known sums. */
export const placeName = (placementId: string, country: string): string => `${placementId} ${country}`;

/**
 * Maps placements to countries to offers to what happened there. Joining the three into one name would cost more to
 * look up.
 */
export type Cells = Map<string, Map<string, Map<string, CellSums>>>;

const within = <Inner>(outer: Map<string, Map<string, Inner>>, name: string): Map<string, Inner> => {
  const inner = outer.get(name) ?? new Map<string, Inner>();
  if (inner.size === 0) outer.set(name, inner);
  return inner;
};

/** Returns offers by placement and country. */
export const offersAt = (cells: Cells, placementId: string, country: string): Map<string, CellSums> =>
  within(within(cells, placementId), country);

/** Holds sums with the weights of their days, as tables do, and the part of each offer's conversions that has come. */
export type Rates = {
  cells: Cells;
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
  for (const { placementId, country, offerId, ...cell } of cells) {
    const offersHere = offersAt(rates.cells, placementId, country);
    offersHere.set(offerId, plusCell(offersHere.get(offerId) ?? NO_CELL, cell));
  }
  for (const offer of offers) addTo(rates.offers, offer.offerId, offer);
  for (const advertiser of advertisers) addTo(rates.advertisers, advertiser.advertiserId, advertiser);
  for (const place of places) addTo(rates.places, placeName(place.placementId, place.country), place);
  rates.network = plus(rates.network, network);
  for (const { place, count, exposure } of slots) {
    const slot = rates.slots[place] ?? { count: 0, exposure: 0 };
    rates.slots[place] = { count: slot.count + count, exposure: slot.exposure + exposure };
  }
};

/** Maps what is known of places by {@link placeName}. */
export const byPlace = (
  places: readonly (RateSums & { placementId: string; country: string })[],
): Map<string, RateSums> => new Map(places.map((sums) => [placeName(sums.placementId, sums.country), sums]));

/**
 * Turns the sums of places into what is known of them today.
 *
 * @param weight the weight of today
 * @param maturity the part of all conversions that has come
 */
export const placesOf = (places: ReadonlyMap<string, RateSums>, weight: number, maturity: number): Places =>
  knownPlaces((placementId, country) => {
    const found = places.get(placeName(placementId, country));
    return found ? ripe(faded(found, weight), maturity) : NO_SUMS;
  });

/**
 * Turns rates into what is known today.
 *
 * @param weight the weight of today
 */
export const knownOf = (rates: Rates, weight: number): KnownCells => {
  const at = (sums: Map<string, RateSums>, name: string): RateSums => {
    const found = sums.get(name);
    return found ? faded(found, weight) : NO_SUMS;
  };
  const maturity = (offerId: string) => rates.maturities.get(offerId) ?? 1;
  return {
    cell: (placementId, country, offerId) => {
      const found = rates.cells.get(placementId)?.get(country)?.get(offerId);
      return found ? ripe(fadedCell(found, weight), maturity(offerId)) : NO_CELL;
    },
    offer: (id) => ripe(at(rates.offers, id), maturity(id)),
    others: (advertiserId, id) =>
      ripe(minus(at(rates.advertisers, advertiserId), at(rates.offers, id)), rates.maturity),
    place: placesOf(rates.places, weight, rates.maturity),
    network: ripe(faded(rates.network, weight), rates.maturity),
    slots: Array.from(rates.slots, (slot) => ({
      count: (slot?.count ?? 0) / weight,
      exposure: (slot?.exposure ?? 0) / weight,
    })),
    strengths: rates.strengths,
  };
};
