import type { Candidate, LearnedRates } from "../../../db/documents/types.ts";
import type { ScoreTerms } from "../columns.ts";
import { hopeOf, OWN_EXPOSURE } from "../learning/score.ts";
import { priorityAt } from "./standing.ts";

/** Sets how many impressions an offer of any age gets to show its worth, while it may be the best: see `hopeOf`. */
const CHANCES = 175;

/**
 * Sets the share of sessions that see one of the newcomers, while some of these have hardly been seen, for answers of
 * one, two, three, and four or more offers. The longer the answer, the fewer customers reach its last place.
 */
const UNSEEN_SHARES = [0.25, 0.4, 0.6, 0.8];

/** Sets the share of sessions added by each newcomer that has had its chances, but is still favoured for being new. */
const NEW_SHARE = 0.02;

/** Names the last place that newcomers are moved to, counted from 1. Few customers look further. */
export const TRIAL_PLACES = UNSEEN_SHARES.length;

const hasChances = (rates: readonly number[] | undefined): boolean => (rates?.[OWN_EXPOSURE] ?? Infinity) < CHANCES;

/** Describes a candidate that some sessions are shown while it may be the best. */
export type Newcomer = {
  /** Names the candidate, by its number in the list. */
  at: number;
  /** Holds the most that an impression of it might be worth: see `hopeOf`. */
  hope: number;
  /** Tells whether hardly anybody has seen it. */
  isUnseen: boolean;
};

/** Returns the share of sessions that see one of these newcomers in their answers of `count` offers. */
export const shareFor = (newcomers: readonly Newcomer[], count: number): number => {
  const share = UNSEEN_SHARES[Math.min(count, TRIAL_PLACES) - 1] ?? 0;
  return newcomers.some(({ isUnseen }) => isUnseen) ? share : Math.min(share, newcomers.length * NEW_SHARE);
};

/**
 * Returns the candidates that hardly anybody has seen, and those that are new, in their order. Where most candidates
 * are new, newness alone does not count.
 */
export const newcomersOf = (offers: readonly Candidate[], learned: LearnedRates | undefined): Newcomer[] => {
  const areNew = 2 * offers.filter(({ isNew }) => isNew).length <= offers.length;
  return offers.flatMap((offer, at) => {
    const isUnseen = hasChances(learned?.rates[at]);
    return isUnseen || (areNew && offer.isNew === true) ? [{ at, hope: hopeOf(offer, at, learned), isUnseen }] : [];
  });
};

/**
 * Returns the newcomers that might be worth at least as much as every offer of their priority that is not a newcomer.
 * Offers that are not for the request, or come last for its session, are not compared.
 *
 * @param near the newcomers that may answer the request
 * @param levels the level of each candidate for the request: see `judge`
 */
export const hopefulOf = (
  near: readonly Newcomer[],
  { newcomers, expected }: Pick<ScoreTerms, "newcomers" | "expected">,
  levels: Int32Array,
): readonly Newcomer[] => {
  const best = new Map<number, number>();
  const bestAt = (priority: number): number => {
    let worth = 0;
    for (let i = 0, next = 0; i < expected.length; i++) {
      if (newcomers[next]?.at === i) next += 1;
      else if (priorityAt(levels[i]) === priority) worth = Math.max(worth, expected[i] ?? 0);
    }
    best.set(priority, worth);
    return worth;
  };
  return near.filter(({ at, hope }) => {
    const priority = priorityAt(levels[at]);
    return hope >= (best.get(priority) ?? bestAt(priority));
  });
};
