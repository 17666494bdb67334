import type { CandidatesDocument, Candidate, NetworkDocument } from "../../db/documents/types.ts";
import { isWithheld, taperOf } from "../../db/documents/withheld.ts";
import { hash32 } from "../core/hash.ts";
import { isPicky, shareAt } from "./eligibility.ts";
import { termsOf, worthOf } from "./learning/score.ts";
import { newcomersOf } from "./newcomers.ts";

/** Marks an offer that asks something of a request; the other mark is for one that changed since the list was built. */
export const PICKY = 1;
export const WITHHELD = 2;

/** Holds the part of a candidates document that a decision reads. */
export type Candidates = Pick<CandidatesDocument, "offers" | "learned">;

/**
 * Holds what most of a decision reads of candidates, side by side: going through the offers themselves would mean fetching each
 * from another place in memory.
 */
export type Columns = {
  hashes: Uint32Array;
  priorities: Int32Array;
  checks: Uint8Array;
  /** Names advertisers by numbers from 0; null when each has one offer only. */
  advertisers: Uint8Array | null;
  /** Holds how often the share of sessions is halved that see an offer among the first; null where none is. */
  tapers: Uint8Array | null;
  /** Holds which share of sessions may see an offer; null where all may see all of them. */
  paces: Float64Array | null;
  /** Tells whether any offer has several creatives. */
  isSplit: boolean;
  network: NetworkDocument | null;
};

const numbersOf = (offers: readonly Candidate[]): Uint8Array | null => {
  const numbers = new Map<number, number>();
  for (const { advertiserSerial } of offers) {
    if (!numbers.has(advertiserSerial)) numbers.set(advertiserSerial, numbers.size);
  }
  if (numbers.size === offers.length) return null;
  return Uint8Array.from(offers, ({ advertiserSerial }) => numbers.get(advertiserSerial) ?? 0);
};

/**
 * Maps lists of candidates to their columns, made when a list is first decided on, or with another network document.
 */
const known = new WeakMap<readonly Candidate[], Columns>();

/** Returns the columns of a list of candidates. */
export const columnsOf = (offers: readonly Candidate[], network: NetworkDocument | null): Columns => {
  const columns = known.get(offers);
  if (columns?.network === network) return columns;
  const tapers = Uint8Array.from(offers, (offer) => (network ? taperOf(network, offer) : 0));
  const paces = Float64Array.from(offers, (offer) => shareAt(network, offer));
  const made: Columns = {
    hashes: Uint32Array.from(offers, (offer) => hash32(offer.id)),
    priorities: Int32Array.from(offers, (offer) => offer.priority),
    checks: Uint8Array.from(
      offers,
      (offer) => (isPicky(offer) ? PICKY : 0) | (network && isWithheld(network, offer) ? WITHHELD : 0),
    ),
    advertisers: numbersOf(offers),
    tapers: tapers.some((taper) => taper > 0) ? tapers : null,
    paces: paces.some((share) => share < 1) ? paces : null,
    isSplit: offers.some(({ creatives }) => creatives !== undefined),
    network,
  };
  known.set(offers, made);
  return made;
};

/** Holds the terms of the offers' scores (learning/score.ts), and the newcomers among them; null where there are none. */
export type ScoreTerms = { centers: Float64Array; spreads: Float64Array; newcomers: readonly number[] | null };

/** Maps what was learned to its terms. Placements share lists of offers, but not what was learned of them. */
const knownTerms = new WeakMap<object, ScoreTerms>();

/** Returns the terms of scores of candidates, made when they are first decided on. */
export const scoreTerms = ({ offers, learned }: Candidates): ScoreTerms => {
  const name = learned ?? offers;
  let made = knownTerms.get(name);
  if (!made) {
    const worths = offers.map((offer, i) => worthOf(offer, i, learned));
    const terms = worths.map((worth) => termsOf(worth));
    made = {
      centers: Float64Array.from(terms, ({ center }) => center),
      spreads: Float64Array.from(terms, ({ spread }) => spread),
      newcomers: newcomersOf(offers, worths, learned),
    };
    knownTerms.set(name, made);
  }
  return made;
};
