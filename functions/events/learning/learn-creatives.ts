import type { LearnedCreative, UnlearnedCreatives } from "../../../db/learning/creatives.ts";
import { unlearnedOf } from "../../../db/learning/increases.ts";
import type { RateSums } from "../../../db/learning/sums.ts";
import type { Evidence } from "../../decision/learning/belief.ts";
import { creativeBeliefs, creativeShares } from "../../decision/learning/creatives.ts";
import { hereSums } from "../../decision/learning/fold.ts";
import { byPlace, placesOf } from "../../decision/learning/known.ts";
import { anywhereSums } from "../../decision/learning/places.ts";
import { faded, NO_SUMS, plus, ripe, weightOf } from "../../decision/learning/sums.ts";

const nameOf = (offerId: string, number: number): string => `${offerId} ${number}`;

/**
 * Adds up what counters gained, by creative. Exposures are multiplied by the factors of their place in the answer,
 * their placement and their country.
 */
const gained = ({ rows, places, slots: found, network }: UnlearnedCreatives): Map<string, RateSums> => {
  const today = weightOf(network.day, network);
  const placeAt = placesOf(byPlace(places), today, network.maturity);
  const slots: Evidence[] = [];
  for (const { place, clicks, exposure } of found) slots[place] = { count: clicks / today, exposure: exposure / today };
  const sums = new Map<string, RateSums>();
  for (const row of rows) {
    const increase = {
      day: row.days,
      placementId: row.placement_id,
      country: row.country,
      place: row.place,
      ...unlearnedOf(row),
    };
    const place = placeAt(row.placement_id, row.country);
    const name = nameOf(row.offer_id, row.creative);
    sums.set(name, plus(sums.get(name) ?? NO_SUMS, anywhereSums(hereSums(increase, slots, network), place)));
  }
  return sums;
};

/**
 * Works out what counters add to the creatives of offers, and the share of sessions that each should then be shown to.
 */
export const learnedCreatives = (found: UnlearnedCreatives): LearnedCreative[] => {
  const today = weightOf(found.network.day, found.network);
  const added = gained(found);
  return found.offers.flatMap(({ offerId, pricing, maturity, rates, creatives }) => {
    const gainOf = (number: number) => added.get(nameOf(offerId, number)) ?? NO_SUMS;
    const shown = creatives.filter(({ isShown }) => isShown);
    const known = shown.map((creative) => ripe(faded(plus(creative, gainOf(creative.number)), today), maturity));
    const shares = creativeShares(creativeBeliefs(known, pricing, rates));
    return creatives.flatMap(({ number, version, isShown }): LearnedCreative[] => {
      if (!isShown && !added.has(nameOf(offerId, number))) return [];
      const share = shares[shown.findIndex((each) => each.number === number)] ?? null;
      return [{ offerId, number, version, ...gainOf(number), share }];
    });
  });
};
