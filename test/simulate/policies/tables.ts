import { NO_SUMS, faded, fold, minus, ripe, USUAL, weightOf } from "../../../functions/decision/learning/fold.ts";
import type { Fading, Increase, Known, Sums } from "../../../functions/decision/learning/fold.ts";
import type { Evidence, Strengths } from "../../../functions/decision/learning/belief.ts";

/** Holds what the service keeps in tables of what was learned, here in maps. Sums are weighted by their days. */
export type Tables = {
  /** Maps placements and countries to their offers' sums. */
  cells: Map<string, Map<string, Sums>>;
  offers: Map<string, Sums>;
  /** Maps offers to their advertisers. */
  owners: Map<string, string>;
  advertisers: Map<string, Sums>;
  places: Map<string, Sums>;
  network: Sums;
  slots: Evidence[];
  strengths: readonly [Strengths, Strengths];
};

/** Returns tables of a network where nothing has happened. */
export const emptyTables = (): Tables => ({
  cells: new Map(),
  offers: new Map(),
  owners: new Map(),
  advertisers: new Map(),
  places: new Map(),
  network: { ...NO_SUMS },
  slots: [],
  strengths: USUAL,
});

/** Names a placement and country. */
export const placeKey = (placementId: string, country: string): string => `${placementId} ${country}`;

/** Says how much of the clicks on an offer has had its conversions by now. */
export type Maturity = (offerId: string) => number;

/** Tells what is known on a day, as {@link fold} and documents need it. */
export const knownOn = (tables: Tables, weight: number, maturity: Maturity, usual: number): Known => {
  const read = (from: Map<string, Sums>, key: string): Sums => faded(from.get(key) ?? NO_SUMS, weight);
  return {
    offer: (id) => ripe(read(tables.offers, id), maturity(id)),
    others: (advertiserId, id) => ripe(minus(read(tables.advertisers, advertiserId), read(tables.offers, id)), usual),
    place: (placementId, country) => ripe(read(tables.places, placeKey(placementId, country)), usual),
    network: ripe(faded(tables.network, weight), usual),
    slots: tables.slots.map(({ count, exposure }) => ({ count: count / weight, exposure: exposure / weight })),
    strengths: tables.strengths,
  };
};

const addTo = <Key>(map: Map<Key, Sums>, key: Key, sums: Sums): void => {
  const known = map.get(key);
  if (known) add(known, sums);
  else
    map.set(key, {
      clicks: sums.clicks,
      exposure: sums.exposure,
      conversions: sums.conversions,
      clicked: sums.clicked,
    });
};

const add = (to: Sums, sums: Sums): void => {
  to.clicks += sums.clicks;
  to.exposure += sums.exposure;
  to.conversions += sums.conversions;
  to.clicked += sums.clicked;
};

/** Adds to the tables what the service's own code makes of what was counted. */
export const learn = (tables: Tables, increases: readonly Increase[], known: Known, fading: Fading): void => {
  const folded = fold(increases, known, fading);
  for (const sums of folded.cells) {
    const key = placeKey(sums.placementId, sums.country);
    const cells = tables.cells.get(key) ?? new Map<string, Sums>();
    tables.cells.set(key, cells);
    addTo(cells, sums.offerId, sums);
  }
  for (const sums of folded.offers) {
    addTo(tables.offers, sums.offerId, sums);
    tables.owners.set(sums.offerId, sums.advertiserId);
    addTo(tables.advertisers, sums.advertiserId, sums);
  }
  for (const sums of folded.places) addTo(tables.places, placeKey(sums.placementId, sums.country), sums);
  add(tables.network, folded.network);
  for (const { place, count, exposure } of folded.slots) {
    for (let i = tables.slots.length; i <= place; i++) tables.slots.push({ count: 0, exposure: 0 });
    const slot = tables.slots[place];
    if (slot) tables.slots[place] = { count: slot.count + count, exposure: slot.exposure + exposure };
  }
};

/** Returns the weight of a moment's day. */
export const weightAt = (now: number, fading: Fading): number => weightOf(Math.floor(now / 86_400_000), fading);
