import type { Candidate, CandidatesDocument, Stored } from "../../db/documents/types.ts";
import { textBytes } from "./memory.ts";

/** Limits how many offers are remembered for sharing. */
const MAX_OFFERS = 2_000;
/** Limits how many lists are remembered for sharing. */
const MAX_LISTS = 40;
/** Estimates the bytes that a document's JSON has besides its offers. */
const FRAME_BYTES = 55;

/**
 * Makes a function that returns the equal object which it was given before, if anything still uses that, and otherwise
 * its argument. It keeps no object in memory itself. When it knows `limit` names it starts afresh.
 */
const sharing = <T extends object>(
  limit: number,
  isSame: (known: T, fresh: T) => boolean,
): ((name: string, fresh: T) => T) => {
  const shared = new Map<string, WeakRef<T>>();
  return (name, fresh) => {
    const known = shared.get(name)?.deref();
    if (known !== undefined && isSame(known, fresh)) return known;
    if (shared.size >= limit) shared.clear();
    shared.set(name, new WeakRef(fresh));
    return fresh;
  };
};

/** Holds the JSON of offers that may be shared. */
const texts = new WeakMap<Candidate, string>();

const shareOffer = sharing<Candidate>(MAX_OFFERS, (known, fresh) => texts.get(known) === texts.get(fresh));

const shareList = sharing<Candidate[]>(MAX_LISTS, (known, fresh) => known.every((offer, i) => offer === fresh[i]));

/**
 * Replaces the offers of a candidates document by the equal ones of other documents, and the whole list if another has
 * an equal one. The placements of a network mostly show the same offers: sharing one copy, with what was made of it for
 * decisions and answers, takes less memory and is faster to reach than a copy for each placement.
 *
 * @returns about how many bytes the document's JSON takes in memory: comparing offers writes nearly all of it anyway
 */
export const shareOffers = (candidates: Stored): number => {
  const value = candidates.value as CandidatesDocument | null;
  if (!value) return FRAME_BYTES;
  let bytes = FRAME_BYTES + (value.learned ? JSON.stringify(value.learned).length : 0);
  const offers = value.offers.map((offer) => {
    const text = JSON.stringify(offer);
    texts.set(offer, text);
    bytes += textBytes(text) + 1;
    return shareOffer(offer.id, offer);
  });
  value.offers = shareList(offers.map(({ id }) => id).join(), offers);
  return bytes;
};
