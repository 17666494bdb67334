import { MOST_OFFERS, SPARE_OFFERS, USUAL_OFFERS } from "../../db/documents/candidates/room.ts";
import { isCandidates, subjectOf, type DocumentKey } from "../../db/documents/keys.ts";
import type { CandidatesDocument, NetworkDocument, PlacementDocument, Stored } from "../../db/documents/types.ts";
import { withheldIn } from "../../db/documents/withheld.ts";
import { hash32 } from "../core/hash.ts";
import type { Entry } from "./memory.ts";

/** Limits how long, in milliseconds, a document in memory answers while it is read again behind the answer. */
const STALE_MS = 30_000;

const MINUTE_MS = 60_000;

/** Sets how long after its build a document renews itself behind an answer, so that a lost or late put heals. */
const RENEWAL_AGE_MS = {
  candidates: 5 * MINUTE_MS,
  network: 5 * MINUTE_MS,
  placement: 60 * MINUTE_MS,
  key: 60 * MINUTE_MS,
};

/** Spreads renewals over half of that age, so that documents built together are not renewed together. */
const SPREAD = 0.5;

/** Covers the longest time between a change's timestamp and its commit, in milliseconds. */
export const COMMIT_SLACK_MS = 5_000;

/** Sets for how long a put may still be on its way to a location, in milliseconds; later it counts as lost. */
export const SPREADING_MS = 120_000;

/**
 * Names what a document in memory may be used for, by the time since it was read.
 *
 * | state     | what a request does                                       |
 * | --------- | --------------------------------------------------------- |
 * | `fresh`   | answers from it                                           |
 * | `stale`   | answers from it, and reads it again behind the answer     |
 * | `aged`    | waits for a newer one, and answers from it if none comes  |
 * | `missing` | waits for it, and fails if it does not come               |
 */
export type State = "fresh" | "stale" | "aged" | "missing";

/**
 * Returns the {@link State} of an entry of memory. The knowledge that a subject does not exist is only used while it is
 * fresh.
 *
 * @param now milliseconds since 1970
 * @param freshMs how long a document in memory is assumed to be the same as in KV
 */
export const stateOf = (entry: Entry | undefined, now: number, freshMs: number): State => {
  if (!entry) return "missing";
  const age = now - entry.readAt;
  if (age < freshMs) return "fresh";
  if (entry.document.value === null) return "missing";
  return freshMs > 0 && age < STALE_MS ? "stale" : "aged";
};

/**
 * Holds what tells whether candidates are up to date: documents read with them or in memory, null where there are none.
 */
export type Surroundings = {
  network: NetworkDocument | null;
  placementOf: (placementId: string) => PlacementDocument | null;
  /** Returns the build time from which on candidates show this isolate's changes, in milliseconds since 1970. */
  ownChangesShownFrom: (key: DocumentKey) => number;
  /** Returns how old candidates become before they are renewed for such changes, in milliseconds. */
  ownChangesPatience: () => number;
};

const renewalAge = (key: DocumentKey): number => {
  const jitter = 1 - SPREAD / 2 + (SPREAD * hash32(key)) / 2 ** 32;
  return RENEWAL_AGE_MS[subjectOf(key).kind] * jitter;
};

/** Tells whether withholding so many offers of a list leaves fewer than are enough. */
const leaveFewer = (withheld: number, { offers }: CandidatesDocument, enough: number): boolean =>
  withheld > 0 && offers.length - withheld < enough;

const isReopened = (candidates: CandidatesDocument, now: number): boolean =>
  candidates.reopensAt !== null && now >= candidates.reopensAt;

/**
 * Tells whether a document that was read can be used at all. Candidates cannot if they are from before the time that
 * the network's list of changes covers. A narrower list completes what another lacks: so it cannot be used if an offer
 * that it left out has opened since, or if later changes leave fewer offers than an answer usually has.
 */
export const canAnswer = (
  key: DocumentKey,
  document: Stored,
  network: NetworkDocument | null,
  now: number,
): boolean => {
  if (!isCandidates(key) || document.value === null) return true;
  if (network && document.builtAt < network.since + COMMIT_SLACK_MS) return false;
  const subject = subjectOf(key);
  const isNarrow = subject.kind === "candidates" && subject.narrowing !== null;
  if (!isNarrow) return true;
  const candidates = document.value as CandidatesDocument;
  return (
    !isReopened(candidates, now) &&
    !(network && leaveFewer(withheldIn(network, candidates.offers), candidates, USUAL_OFFERS))
  );
};

/** Tells whether a usable document is to be rebuilt behind the answer, because of its age, or of what changed since. */
export const needsRenewal = (key: DocumentKey, document: Stored, around: Surroundings, now: number): boolean => {
  if (document.value === null) return false;
  const age = now - document.builtAt;
  if (age > renewalAge(key)) return true;
  const subject = subjectOf(key);
  if (subject.kind !== "candidates") return false;
  // When Postgres' clock is ahead, ages say nothing: then no list has to wait.
  const isRested = age < 0 || age >= around.ownChangesPatience();
  if (document.builtAt < around.ownChangesShownFrom(key) && isRested) return true;
  const candidates = document.value as CandidatesDocument;
  const placement = around.placementOf(subject.placementId);
  if (placement && placement.factsChangedAt !== candidates.factsChangedAt) return true;
  if (isReopened(candidates, now)) return true;
  if (around.network === null) return false;
  const withheld = withheldIn(around.network, candidates.offers);
  return withheld > SPARE_OFFERS || leaveFewer(withheld, candidates, MOST_OFFERS);
};
