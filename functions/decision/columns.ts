import type { Candidate, CandidatesDocument, LearnedRates, NetworkDocument } from "../../db/documents/types.ts";
import { isWithheld, taperOf } from "../../db/documents/withheld.ts";
import { hash32 } from "../core/hash.ts";
import { demandsOf, isPicky, shareAt } from "./eligibility.ts";
import { termsOf, worthOf } from "./learning/score.ts";
import { newcomersOf, type Newcomer } from "./standing/newcomers.ts";

/** Names the gate of an offer that changed since the list was built: no request passes. All requests pass the other one. */
const WITHHELD = 0;
export const OPEN = 1;

/** Names the first gate of offers that ask something of a request. */
export const FIRST_ASKING = 2;

/** Holds the part of a candidates document that a decision reads. */
export type Candidates = Pick<CandidatesDocument, "offers" | "learned">;

/**
 * Holds what most of a decision reads of candidates, side by side: going through the offers themselves would mean fetching each
 * from another place in memory.
 */
export type Columns = {
  hashes: Uint32Array;
  priorities: Int32Array;
  /** Names gates: offers that ask the same of requests share one, so that each is asked once for a decision. */
  gates: Uint16Array;
  /** Holds an offer of each gate from {@link FIRST_ASKING} on. */
  asking: readonly Candidate[];
  /** Names advertisers by numbers from 0; null when each has one offer only. */
  advertisers: Uint8Array | null;
  /** Holds how often the share of sessions is halved that see an offer among the first; null where none is. */
  tapers: Uint8Array | null;
  /** Holds which share of sessions may see an offer; null where all may see all of them. */
  paces: Float64Array | null;
  /** Tells whether any offer has several creatives. */
  isSplit: boolean;
  /** Tells whether any offer changed since the list was built, so that it is in no answer until the list is built anew. */
  hasWithheld: boolean;
  network: NetworkDocument | null;
};

/** Makes a column of a number of each item. The own `from` of typed arrays takes twice as long. */
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
 * Maps lists of candidates to their columns, made when a list is first decided on, or with another network document.
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

/** Holds the terms of the offers' scores (learning/score.ts), what an impression of each is worth, and the newcomers. */
export type ScoreTerms = {
  centers: Float64Array;
  spreads: Float64Array;
  expected: Float64Array;
  newcomers: readonly Newcomer[];
};

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
      centers: columnOf(Float64Array, terms, ({ center }) => center),
      spreads: columnOf(Float64Array, terms, ({ spread }) => spread),
      expected: columnOf(Float64Array, worths, ({ expected }) => expected),
      newcomers: newcomersOf(offers, learned),
    };
    knownTerms.set(name, made);
  }
  return made;
};

/** Holds candidates of whose last one something else may be told: see {@link retellLast}. */
export type Retellable = Candidates & { learned: LearnedRates & { rates: (readonly number[])[] } };

/**
 * Changes what was seen of the last candidate, and works out its terms alone: a forecast asks that thousands of times.
 *
 * @param own as {@link LearnedRates} has it
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
