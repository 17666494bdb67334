import { MOST_OFFERS, SPARE_OFFERS, USUAL_OFFERS } from "../../db/documents/candidates/room.ts";
import { isCandidates, subjectOf, type DocumentKey } from "../../db/documents/keys.ts";
import type { CandidatesDocument, NetworkDocument, PlacementDocument, Stored } from "../../db/documents/types.ts";
import { withheldIn } from "../../db/documents/withheld.ts";
import { hash32 } from "../core/hash.ts";
import type { Entry } from "./memory.ts";

/** Limits how long, in milliseconds, a document in memory answers while it is read anew behind the answer. */
const STALE_MS = 30_000;

const MINUTE_MS = 60_000;

/** Sets how long after its build a document renews itself behind an answer, so that a lost or late put heals. */
const RENEWAL_AGE_MS = {
  candidates: 5 * MINUTE_MS,
  network: 5 * MINUTE_MS,
  placement: 60 * MINUTE_MS,
  key: 60 * MINUTE_MS,
};

/** Spreads renewals over half of their age, so that documents built together are not renewed together. */
const SPREAD = 0.5;

/** Covers the longest time between a change's timestamp and its commit, in milliseconds. */
export const COMMIT_SLACK_MS = 5_000;

/** Sets for how long a put may still be on its way to a location, in milliseconds; later it counts as lost. */
export const SPREADING_MS = 120_000;

/**
 * Tells what a document in memory is good for, by the time since it was read.
 *
 * | state     | what a request does                                       |
 * | --------- | --------------------------------------------------------- |
 * | `fresh`   | answers from it                                           |
 * | `stale`   | answers from it, and reads it anew behind the answer      |
 * | `aged`    | waits for a newer one, and answers from it if none comes  |
 * | `missing` | waits for it, and fails if it does not come               |
 */
export type State = "fresh" | "stale" | "aged" | "missing";

/**
 * Returns the {@link State} of an entry of memory. That a subject does not exist is known for as long as it is fresh.
 *
 * @param now milliseconds since 1970
 * @param freshMs for how long a document in memory is taken to be as KV has it
 */
export const stateOf = (entry: Entry | undefined, now: number, freshMs: number): State => {
  if (!entry) return "missing";
  const age = now - entry.readAt;
  if (age < freshMs) return "fresh";
  if (entry.document.value === null) return "missing";
  return freshMs > 0 && age < STALE_MS ? "stale" : "aged";
};

/**
 * Holds what tells whether candidates are of today: documents read with them or in memory, null where there are none.
 */
export type Surroundings = {
  network: NetworkDocument | null;
  placementOf: (placementId: string) => PlacementDocument | null;
  /** Tells from which time of build on candidates show what this isolate changed, in milliseconds since 1970. */
  ownChangesShownFrom: (key: DocumentKey) => number;
  /** Tells how old candidates become before they are renewed for that, in milliseconds. */
  ownChangesPatience: () => number;
};

const renewalAge = (key: DocumentKey): number => {
  const jitter = 1 - SPREAD / 2 + (SPREAD * hash32(key)) / 2 ** 32;
  return RENEWAL_AGE_MS[subjectOf(key).kind] * jitter;
};

/** Tells whether so many offers that changed since a list was built leave fewer of it than would be enough. */
const leaveFewer = (withheld: number, { offers }: CandidatesDocument, enough: number): boolean =>
  withheld > 0 && offers.length - withheld < enough;

const isReopened = (candidates: CandidatesDocument, now: number): boolean =>
  candidates.reopensAt !== null && now >= candidates.reopensAt;

/**
 * Tells whether a document that was read can answer at all. Candidates cannot when they are older than the network's
 * list of changes reaches. A narrower list makes up for what another lacks: so it cannot when an offer that it left out
 * has opened since, or when changes since leave fewer offers than an answer usually has.
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

/**
 * Tells whether a document that answers is to be built anew behind the answer: by its age, or by what changed since.
 */
export const needsRenewal = (key: DocumentKey, document: Stored, around: Surroundings, now: number): boolean => {
  if (document.value === null) return false;
  const age = now - document.builtAt;
  if (age > renewalAge(key)) return true;
  const subject = subjectOf(key);
  if (subject.kind !== "candidates") return false;
  // A clock of Postgres that is ahead says nothing of an age: then no list has to wait.
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
