import type { Candidate, LearnedRates } from "../../../db/documents/types.ts";
import { hopeOf, OWN_EXPOSURE, type Worth } from "../learning/score.ts";

/** Sets how many impressions an offer gets to show its worth, however old it is, while it may be the best: see `hopeOf`. */
const CHANCES = 175;

/**
 * Sets the share of sessions that see one of the newcomers, as long as some of them have had hardly a chance, for answers of
 * one, two, three and more offers. The longer the answer, the fewer customers reach its last place.
 */
const UNSEEN_SHARES = [0.25, 0.4, 0.6, 0.8];

/** Sets the share of sessions that each newcomer adds that has had its chances, and is favoured because it is new. */
const NEW_SHARE = 0.02;

/** Names the last place that newcomers are moved to, counted from 1. Few customers look at what comes later. */
export const TRIAL_PLACES = UNSEEN_SHARES.length;

const hasChances = (rates: readonly number[] | undefined): boolean => (rates?.[OWN_EXPOSURE] ?? Infinity) < CHANCES;

/** Lists candidates of which some sessions see one, by their numbers, and tells which of them hardly anybody has seen. */
export type Newcomers = readonly { at: number; isUnseen: boolean }[];

/** Returns the share of sessions that see one of the newcomers that may come into their answers of `count` offers. */
export const shareFor = (newcomers: Newcomers, count: number): number => {
  const share = UNSEEN_SHARES[Math.min(count, TRIAL_PLACES) - 1] ?? 0;
  return newcomers.some(({ isUnseen }) => isUnseen) ? share : Math.min(share, newcomers.length * NEW_SHARE);
};

/**
 * Returns the candidates that hardly anybody has seen, as long as they may be worth more than all others of their priority.
 * Where most are new, only the least seen count.
 *
 * @param worths what the candidates are believed to be worth, in their order
 */
export const newcomersOf = (
  offers: readonly Candidate[],
  worths: readonly Worth[],
  learned: LearnedRates | undefined,
): Newcomers => {
  const areNew = 2 * offers.filter(({ isNew }) => isNew).length <= offers.length;
  const isNewcomer = (i: number) => (areNew && offers[i]?.isNew === true) || hasChances(learned?.rates[i]);
  const best = new Map<number, number>();
  for (const [i, { priority }] of offers.entries()) {
    if (!isNewcomer(i)) best.set(priority, Math.max(best.get(priority) ?? 0, worths[i]?.expected ?? 0));
  }
  return offers.flatMap((offer, i) =>
    isNewcomer(i) && hopeOf(offer, i, learned) >= (best.get(offer.priority) ?? 0)
      ? [{ at: i, isUnseen: hasChances(learned?.rates[i]) }]
      : [],
  );
};
