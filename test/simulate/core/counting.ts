import type { Increase } from "../../../functions/decision/learning/fold.ts";
import type { OpenOffer, Place } from "./policy.ts";

/** Counts what happens as the service does, by day, placement, country, offer, place in the answer and arm, until it is learned. */
export const createCounting = () => {
  let increases = new Map<string, Increase>();
  return {
    /** Returns the counter of an offer in an answer, to be added to. */
    at: (
      { placementId, country }: Place,
      { candidate: { id: offerId, serial }, advertiserId }: OpenOffer,
      day: number,
      place: number,
      isRandom: boolean,
    ): Increase => {
      const key = `${day} ${placementId} ${country} ${serial} ${place} ${isRandom}`;
      let increase = increases.get(key);
      if (!increase) {
        const counts = { impressions: 0, clicks: 0, clicked: 0, conversions: 0 };
        increase = { day, placementId, country, offerId, advertiserId, isRandom, place, ...counts };
        increases.set(key, increase);
      }
      return increase;
    },
    /** Returns what was counted since the last time. */
    take: (): Increase[] => {
      const taken = [...increases.values()];
      increases = new Map();
      return taken;
    },
  };
};
