import type { RateSums } from "../../../db/learning/sums.ts";
import { drawnTo, placeFactor } from "./belief.ts";
import { evidenceOf, type Stage } from "./sums.ts";

/**
 * Tells what happened in a placement and country, over what was expected there. Without a country it is about the placement,
 * where each exposure counts by the factor of its country; without a placement about the country, where each counts by the
 * factor of its placement; without either about all that happened.
 */
export type Places = (placementId: string, country: string) => RateSums;

const factor = (line: RateSums, stage: Stage): number => placeFactor(evidenceOf(line, stage));

/**
 * Returns sums as they count without what is peculiar to a place: exposures count by its factor.
 *
 * @param place what is known of the place
 */
export const anywhereSums = (here: RateSums, place: RateSums): RateSums => ({
  ...here,
  exposure: here.exposure * factor(place, 0),
  clicked: here.clicked * factor(place, 1),
});

/**
 * Returns what is known of places by what happened there. Where a placement and a country meet for the first time, offers are
 * likely to do as well as all do in that placement, and all in that country. What all places have in common is no
 * merit of any: at first everything may be expected to be clicked too often.
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
