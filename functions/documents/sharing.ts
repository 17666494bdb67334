import type { Candidate, CandidatesDocument, Stored } from "../../db/documents/types.ts";

/** Limits how many offers are kept to share. */
const MAX_OFFERS = 2_000;
/** Limits how many lists are kept, which keep their offers in memory: most have fewer than fifty, and none more than 200. */
const MAX_LISTS = 40;
/** Estimates the bytes that a document's JSON has besides its offers. */
const FRAME_BYTES = 55;

/**
 * Makes a function that returns what it was given before in place of what is the same. When it knows `limit` names it
 * starts anew.
 */
const sharing = <T>(limit: number, isSame: (known: T, fresh: T) => boolean): ((name: string, fresh: T) => T) => {
  const shared = new Map<string, T>();
  return (name, fresh) => {
    const known = shared.get(name);
    if (known !== undefined && isSame(known, fresh)) return known;
    if (shared.size >= limit) shared.clear();
    shared.set(name, fresh);
    return fresh;
  };
};

type Text = { text: string; offer: Candidate };

const shareText = sharing<Text>(MAX_OFFERS, (known, fresh) => known.text === fresh.text);
const shareOffer = (offer: Candidate): Text => shareText(offer.id, { text: JSON.stringify(offer), offer });

const shareList = sharing<Candidate[]>(MAX_LISTS, (known, fresh) => known.every((offer, i) => offer === fresh[i]));

/**
 * Replaces the offers of a candidates document by the same ones of others, and the whole list where another has the same.
 * The placements of a network mostly show the same offers: one copy, and what was made of it for decisions and answers,
 * is less memory and nearer at hand than one a placement.
 *
 * @returns about how many bytes the document's JSON has: telling offers apart makes nearly all of it anyway
 */
export const shareOffers = (candidates: Stored): number => {
  const value = candidates.value as CandidatesDocument | null;
  if (!value) return FRAME_BYTES;
  const shared = value.offers.map(shareOffer);
  const offers = shared.map(({ offer }) => offer);
  value.offers = shareList(offers.map(({ id }) => id).join(), offers);
  const frame = FRAME_BYTES + (value.learned ? JSON.stringify(value.learned).length : 0);
  return shared.reduce((bytes, { text }) => bytes + text.length + 1, frame);
};
