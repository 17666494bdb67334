import type { Candidate, Creatives } from "../../db/documents/types.ts";
import { hash32, mix32 } from "../core/hash.ts";

/** Makes what is drawn for the creative independent of what is drawn for the order. */
const CREATIVE_SALT = 0x6b2d_91c5;

/** Holds the number of an offer's own texts among its creatives. */
const OWN_CREATIVE = 1;

/** Holds an offer as each of its creatives shows it, and for each the upper bound of its part of all sessions. */
type Split = { shown: readonly Candidate[]; bounds: readonly number[] };

const known = new WeakMap<Candidate, Split>();

/** Returns an offer with the texts of one of its further creatives. */
const shownAs = (offer: Candidate, other: Creatives["others"][number]): Candidate => {
  const { number, weight: _, ...texts } = other;
  return { ...offer, ...texts, creative: number };
};

const splitOf = (offer: Candidate): Split => {
  let split = known.get(offer);
  if (!split) {
    const { weight: ownWeight = 0, others = [] } = offer.creatives ?? {};
    const weights = [ownWeight, ...others.map(({ weight }) => weight)];
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    let sum = 0;
    split = {
      shown: [{ ...offer, creative: OWN_CREATIVE }, ...others.map((other) => shownAs(offer, other))],
      bounds: weights.map((weight) => (sum += weight) / total),
    };
    known.set(offer, split);
  }
  return split;
};

/**
 * Returns an offer as a session sees it: with the texts of one of its creatives, which a hash of session and offer
 * picks by their weights. It stays the same as long as the weights do; when they change, few sessions see another one.
 *
 * @param session the hash of the session
 * @returns the offer itself if it has no other creatives; otherwise the same object each time for the same creative
 */
export const shownTo = (offer: Candidate, session: number): Candidate => {
  if (offer.creatives === undefined) return offer;
  const { shown, bounds } = splitOf(offer);
  const drawn = mix32(session ^ CREATIVE_SALT, hash32(offer.id)) / 2 ** 32;
  return shown[bounds.findIndex((bound) => drawn < bound)] ?? offer;
};

/** Maps the number of each of an offer's creatives to its part of all sessions; empty where there are no others. */
export const sharesOf = (offer: Candidate): ReadonlyMap<number, number> => {
  if (offer.creatives === undefined) return new Map();
  const { shown, bounds } = splitOf(offer);
  return new Map(shown.map(({ creative = 0 }, i) => [creative, (bounds[i] ?? 0) - (bounds[i - 1] ?? 0)]));
};

/** Finds where a creative of an offer leads; null when the offer does not show it now. */
export const destinationOf = (offer: Candidate, creative: number): string | null => {
  if (creative <= OWN_CREATIVE) return offer.destinationUrl;
  return offer.creatives?.others.find(({ number }) => number === creative)?.destinationUrl ?? null;
};
