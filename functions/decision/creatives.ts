import type { Candidate, Creatives } from "../../db/documents/types.ts";
import { hash32, mix32 } from "../core/hash.ts";

/** Makes what is drawn for the creative independent of what is drawn for the order. */
const CREATIVE_SALT = 0x6b2d_91c5;

/** Names the creative that an offer itself is, in an offer that has others. */
const OWN_CREATIVE = 1;

/** Holds an offer as each of its creatives shows it, and up to which part of all sessions each is shown. */
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
 * Returns an offer as a session sees it: with the texts of one of its creatives, which a hash of session and offer picks by
 * their weights. It stays the same for as long as the weights do; when they move, few sessions see another one.
 *
 * @param session the hash of the session
 * @returns the offer itself where it has no other creatives; else the same object for the same creative each time
 */
export const shownTo = (offer: Candidate, session: number): Candidate => {
  if (offer.creatives === undefined) return offer;
  const { shown, bounds } = splitOf(offer);
  const drawn = mix32(session ^ CREATIVE_SALT, hash32(offer.id)) / 2 ** 32;
  return shown[bounds.findIndex((bound) => drawn < bound)] ?? offer;
};

/** Maps the numbers of an offer's creatives to the part of all sessions that sees each; empty where it has no others. */
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
