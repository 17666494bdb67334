import type { Candidate, NetworkDocument } from "../../db/documents/types.ts";
import { isWithheld, taperOf } from "../../db/documents/withheld.ts";
import { hash32, mix32 } from "../core/hash.ts";
import { isPicky, unmet, type DecisionRequest } from "./eligibility.ts";

/** Marks an offer that asks something of a request; the other mark is for one that changed since the list was built. */
const PICKY = 1;
const WITHHELD = 2;

/**
 * Holds what most of a decision reads of candidates, side by side: going through the offers themselves would mean fetching each
 * from another place in memory.
 */
type Columns = {
  hashes: Uint32Array;
  weights: Float64Array;
  priorities: Int32Array;
  checks: Uint8Array;
  /** Tells that an advertiser has more offers than come before others have theirs. */
  isCrowded: boolean;
  /** Holds how often the share of sessions is halved that see an offer among the first; null where none is. */
  tapers: Uint8Array | null;
  network: NetworkDocument | null;
};

/** Limits how many offers of an advertiser come before others have theirs. */
const SHARE = 8;

/** Splits offers into those within the share of their advertiser, and those beyond, each in their order. */
const shares = (offers: readonly Candidate[]): { within: Candidate[]; beyond: Candidate[] } => {
  const counts = new Map<number, number>();
  const split: ReturnType<typeof shares> = { within: [], beyond: [] };
  for (const offer of offers) {
    const count = (counts.get(offer.advertiserSerial) ?? 0) + 1;
    counts.set(offer.advertiserSerial, count);
    split[count > SHARE ? "beyond" : "within"].push(offer);
  }
  return split;
};

/**
 * Maps lists of candidates to their columns, made when a list is first decided on, or with another network document.
 */
const known = new WeakMap<readonly Candidate[], Columns>();

const columnsOf = (candidates: readonly Candidate[], network: NetworkDocument | null): Columns => {
  const columns = known.get(candidates);
  if (columns?.network === network) return columns;
  const tapers = Uint8Array.from(candidates, (offer) => (network ? taperOf(network, offer) : 0));
  const made: Columns = {
    hashes: Uint32Array.from(candidates, (offer) => hash32(offer.id)),
    // An offer without expected value keeps a small chance.
    weights: Float64Array.from(candidates, (offer) => Math.max(offer.ecpmMicros, 1)),
    priorities: Int32Array.from(candidates, (offer) => offer.priority),
    checks: Uint8Array.from(
      candidates,
      (offer) => (isPicky(offer) ? PICKY : 0) | (network && isWithheld(network, offer) ? WITHHELD : 0),
    ),
    isCrowded: shares(candidates).beyond.length > 0,
    tapers: tapers.some((taper) => taper > 0) ? tapers : null,
    network,
  };
  known.set(candidates, made);
  return made;
};

/** Makes what is drawn for the taper independent of what is drawn for the order. */
const TAPER_SALT = 0x7a9e_5a17;

/** Comes after all priorities. */
const LAST = 1_000;

/** Tells whether a session is one of those that see an offer last, whose share was halved some times. */
export const isTapered = (halvings: number, session: number, offer: number): boolean =>
  mix32(session ^ TAPER_SALT, offer) >= 2 ** (32 - halvings);

/**
 * Holds a candidate with its place in the weighted order of its tier: the smaller the rank the earlier. Taking offers by the
 * smallest −ln(u)/weight draws them with chances proportional to their weights (Efraimidis and Spirakis, 2006); u comes
 * from session and offer, so a session always sees the same order.
 */
type Ranked = { offer: Candidate; priority: number; rank: number };

const isBefore = (a: Ranked, b: Ranked): boolean => {
  if (a.priority !== b.priority) return a.priority < b.priority;
  return a.rank === b.rank ? a.offer.id < b.offer.id : a.rank < b.rank;
};

/**
 * Chooses the offers that answer a request: the eligible ones, lower priority numbers first, within a tier in an order
 * that is random between sessions, weighted by expected value, and the same for equal input. What is beyond an
 * advertiser's share comes after all others, as does an offer near its cap for most sessions.
 *
 * @returns at most `request.count` offers, each once
 */
export const decide = (
  candidates: readonly Candidate[],
  network: NetworkDocument | null,
  request: DecisionRequest,
): Candidate[] => {
  const session = hash32(request.session);
  const { hashes, weights, priorities, checks, isCrowded, tapers } = columnsOf(candidates, network);
  // Few answers are long enough for an advertiser to take more than its share; those put all offers in order first.
  const isShared = isCrowded && request.count > SHARE;
  const wanted = isShared ? candidates.length : request.count;
  const best: Ranked[] = [];
  for (let i = 0; i < candidates.length; i++) {
    const hash = hashes[i] ?? 0;
    const isLast = tapers !== null && isTapered(tapers[i] ?? 0, session, hash);
    const priority = (priorities[i] ?? 0) + (isLast ? LAST : 0);
    const weight = weights[i] ?? 1;
    const u = (mix32(session, hash) + 0.5) / 2 ** 32;
    const last = best.length < wanted ? undefined : best.at(-1);
    // −ln(u) is more than 1 − u, which tells most of those that come too late without a logarithm.
    if (last && (priority > last.priority || (priority === last.priority && 1 - u > last.rank * weight))) continue;
    const offer = candidates[i] as Candidate;
    const ranked = { offer, priority, rank: -Math.log(u) / weight };
    if (last && isBefore(last, ranked)) continue;
    const check = checks[i] ?? 0;
    if (check >= WITHHELD || (check === PICKY && unmet(offer, request) !== null)) continue;
    let place = last ? best.length - 1 : best.length;
    for (; place > 0 && isBefore(ranked, best[place - 1] as Ranked); place--) best[place] = best[place - 1] as Ranked;
    best[place] = ranked;
  }
  const ordered = best.map(({ offer }) => offer);
  if (!isShared) return ordered;
  const { within, beyond } = shares(ordered);
  return [...within, ...beyond].slice(0, request.count);
};
