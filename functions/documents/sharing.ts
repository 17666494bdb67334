import type { Candidate, CandidatesDocument, Stored } from "../../db/documents/types.ts";
import { textBytes } from "./memory.ts";

/** Limits how many offers are known that may be shared. */
const MAX_OFFERS = 2_000;
/** Limits how many lists are known that may be shared. */
const MAX_LISTS = 40;
/** Estimates the bytes that a document's JSON has besides its offers. */
const FRAME_BYTES = 55;

/**
 * Makes a function that returns what it was given before in place of what is the same, as long as anything else uses that:
 * it keeps nothing in memory itself. When it knows `limit` names it starts anew.
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
 * Replaces the offers of a candidates document by the same ones of others, and the whole list where another has the same.
 * The placements of a network mostly show the same offers: one copy, and what was made of it for decisions and answers,
 * is less memory and nearer at hand than one a placement.
 *
 * @returns about how many bytes the document's JSON takes in memory: telling offers apart makes nearly all of it anyway
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
