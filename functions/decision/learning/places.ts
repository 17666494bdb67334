import type { RateSums } from "../../../db/learning/sums.ts";
import { drawnTo, placeFactor } from "./belief.ts";
import { evidenceOf, type Stage } from "./sums.ts";

/**
 * Returns what happened in a placement and country, with what was expected there as its exposure. Without a country it
 * is about the placement, with each exposure multiplied by the factor of its country; without a placement it is about
 * the country, with each exposure multiplied by the factor of its placement; without either it is about everything.
 */
export type Places = (placementId: string, country: string) => RateSums;

const factor = (line: RateSums, stage: Stage): number => placeFactor(evidenceOf(line, stage));

/**
 * Returns sums of a place as they count over all places: exposures are multiplied by the factor of the place.
 *
 * @param place what is known of the place
 */
export const anywhereSums = (here: RateSums, place: RateSums): RateSums => ({
  ...here,
  exposure: here.exposure * factor(place, 0),
  clicked: here.clicked * factor(place, 1),
});

/**
 * Returns what is known of places from what happened there. Where a placement and a country meet for the first time,
 * offers are likely to do as all offers do in that placement and in that country. What all places have in common is
 * divided out: at first, too many clicks may be expected everywhere.
 */
export const knownPlaces = (happened: Places): Places => {
  const all = happened("", "");
  const beside = (placementId: string, country: string) => anywhereSums(happened(placementId, country), all);
  return (placementId, country) => {
    const here = beside(placementId, country);
    if (placementId === "" || country === "") return here;
    const [placement, nation] = [beside(placementId, ""), beside("", country)];
    const drawn = (stage: Stage): number => drawnTo(factor(placement, stage) * factor(nation, stage));
    return { ...here, exposure: here.exposure + drawn(0), clicked: here.clicked + drawn(1) };
  };
};
