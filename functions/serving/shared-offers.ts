import type { Candidate, CandidatesDocument, Stored } from "../../db/documents.ts";

/** How many offers are kept to share; a decision never has more than fifty to choose from. */
const MAX_SHARED = 2_000;

const shared = new Map<string, { text: string; offer: Candidate }>();

/** The offer in memory that is the same as this one in all it says, if there is one. */
const share = (offer: Candidate): Candidate => {
  const text = JSON.stringify(offer);
  const known = shared.get(offer.id);
  if (known?.text === text) return known.offer;
  shared.delete(offer.id);
  shared.set(offer.id, { text, offer });
  for (const oldest of shared.keys()) {
    if (shared.size <= MAX_SHARED) break;
    shared.delete(oldest);
  }
  return offer;
};

/**
 * Replaces the offers of a candidates document by the same ones of others. The placements of a network mostly show the
 * same offers: one copy, and what was rendered of it, is less memory and nearer at hand than one a placement.
 */
export const shareOffers = (candidates: Stored): void => {
  const value = candidates.value as CandidatesDocument | null;
  if (value) value.offers = value.offers.map(share);
};
