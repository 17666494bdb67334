import type { Candidate, CandidatesDocument, LearnedRates, NetworkDocument } from "../../db/documents/types.ts";
import { isWithheld, taperOf } from "../../db/documents/withheld.ts";
import { hash32 } from "../core/hash.ts";
import { demandsOf, isPicky, shareAt } from "./eligibility.ts";
import { termsOf, worthOf } from "./learning/score.ts";
import { newcomersOf, type Newcomer } from "./standing/newcomers.ts";

/**
 * Names the gate of offers that changed since the list was built, which no request passes, and the one that all pass.
 */
const WITHHELD = 0;
export const OPEN = 1;

/** Names the first gate of offers that ask something of a request. */
export const FIRST_ASKING = 2;

/** Holds the part of a candidates document that a decision reads. */
export type Candidates = Pick<CandidatesDocument, "offers" | "learned">;

/**
 * Holds what a decision mostly reads of candidates as columns: reading the offers themselves would fetch each from
 * another place in memory.
 */
export type Columns = {
  hashes: Uint32Array;
  priorities: Int32Array;
  /**
   * Holds the number of each offer's gate: offers that ask the same of requests share one, so that it is checked once
   * per decision.
   */
  gates: Uint16Array;
  /** Holds one offer for each gate from {@link FIRST_ASKING} on. */
  asking: readonly Candidate[];
  /** Holds the number of each offer's advertiser, from 0; null when each advertiser has only one offer. */
  advertisers: Uint8Array | null;
  /** Holds how often the share of sessions that see an offer among the first was halved; null where none was. */
  tapers: Uint8Array | null;
  /** Holds the share of sessions that may see each offer; null where all sessions may see all offers. */
  paces: Float64Array | null;
  /** Tells whether any offer has several creatives. */
  isSplit: boolean;
  /** Tells whether any offer changed since the list was built, and so is in no answer until the list is rebuilt. */
  hasWithheld: boolean;
  network: NetworkDocument | null;
};

/** Makes a column with a number for each item. Typed arrays' own `from` takes twice as long. */
const columnOf = <Column extends { [i: number]: number }, Item>(
  Kind: new (length: number) => Column,
  items: readonly Item[],
  numberOf: (item: Item) => number,
): Column => {
  const column = new Kind(items.length);
  for (let i = 0; i < items.length; i++) column[i] = numberOf(items[i] as Item);
  return column;
};

const numbersOf = (offers: readonly Candidate[]): Uint8Array | null => {
  const numbers = new Map<number, number>();
  for (const { advertiserSerial } of offers) {
    if (!numbers.has(advertiserSerial)) numbers.set(advertiserSerial, numbers.size);
  }
  if (numbers.size === offers.length) return null;
  return columnOf(Uint8Array, offers, ({ advertiserSerial }) => numbers.get(advertiserSerial) ?? 0);
};

/** Puts candidates that ask the same of requests behind one gate. */
const gatesOf = (offers: readonly Candidate[], network: NetworkDocument | null): Pick<Columns, "gates" | "asking"> => {
  const numbers = new Map<string, number>();
  const asking: Candidate[] = [];
  const gates = columnOf(Uint16Array, offers, (offer) => {
    if (network && isWithheld(network, offer)) return WITHHELD;
    if (!isPicky(offer)) return OPEN;
    const demands = demandsOf(offer);
    const known = numbers.get(demands);
    if (known !== undefined) return known;
    const gate = FIRST_ASKING + asking.length;
    numbers.set(demands, gate);
    asking.push(offer);
    return gate;
  });
  return { gates, asking };
};

/**
 * Maps lists of candidates to their columns, made at the first decision on a list, or with another network document.
 */
const known = new WeakMap<readonly Candidate[], Columns>();

/** Returns the columns of a list of candidates. */
export const columnsOf = (offers: readonly Candidate[], network: NetworkDocument | null): Columns => {
  const columns = known.get(offers);
  if (columns?.network === network) return columns;
  const tapers = network && columnOf(Uint8Array, offers, (offer) => taperOf(network, offer));
  const paces = network && columnOf(Float64Array, offers, (offer) => shareAt(network, offer));
  const { gates, asking } = gatesOf(offers, network);
  const made: Columns = {
    hashes: columnOf(Uint32Array, offers, (offer) => hash32(offer.id)),
    priorities: columnOf(Int32Array, offers, (offer) => offer.priority),
    gates,
    asking,
    advertisers: numbersOf(offers),
    tapers: tapers?.some((taper) => taper > 0) ? tapers : null,
    paces: paces?.some((share) => share < 1) ? paces : null,
    isSplit: offers.some(({ creatives }) => creatives !== undefined),
    hasWithheld: gates.includes(WITHHELD),
    network,
  };
  known.set(offers, made);
  return made;
};

/**
 * Holds the terms of the offers' scores (learning/score.ts), the expected worth of an impression of each, and the
 * newcomers.
 */
export type ScoreTerms = {
  centers: Float64Array;
  spreads: Float64Array;
  expected: Float64Array;
  newcomers: readonly Newcomer[];
};

/** Maps what was learned to its terms. Placements share lists of offers, but not what was learned about them. */
const knownTerms = new WeakMap<object, ScoreTerms>();

/** Returns the terms of candidates' scores, made at the first decision on them. */
export const scoreTerms = ({ offers, learned }: Candidates): ScoreTerms => {
  const name = learned ?? offers;
  let made = knownTerms.get(name);
  if (!made) {
    const worths = offers.map((offer, i) => worthOf(offer, i, learned));
    const terms = worths.map((worth) => termsOf(worth));
    made = {
      centers: columnOf(Float64Array, terms, ({ center }) => center),
      spreads: columnOf(Float64Array, terms, ({ spread }) => spread),
      expected: columnOf(Float64Array, worths, ({ expected }) => expected),
      newcomers: newcomersOf(offers, learned),
    };
    knownTerms.set(name, made);
  }
  return made;
};

/** Holds candidates whose last one may be changed: see {@link retellLast}. */
export type Retellable = Candidates & { learned: LearnedRates & { rates: (readonly number[])[] } };

/**
 * Changes what was seen of the last candidate, and works out only its terms again: a forecast does so thousands of
 * times.
 *
 * @param own the candidate's numbers, as in {@link LearnedRates}
 */
export const retellLast = (candidates: Retellable, own: readonly number[]): void => {
  const { offers, learned } = candidates;
  const terms = scoreTerms(candidates);
  const last = offers.length - 1;
  learned.rates[last] = own;
  const worth = worthOf(offers[last] as Candidate, last, learned);
  const { center, spread } = termsOf(worth);
  terms.centers[last] = center;
  terms.spreads[last] = spread;
  terms.expected[last] = worth.expected;
  terms.newcomers = newcomersOf(offers, learned);
};
