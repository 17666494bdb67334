import type { Candidate, LearnedRates } from "../../db/documents/types.ts";
import { hopeOf, OWN_EXPOSURE, type Worth } from "./learning/score.ts";

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

const isUnseen = (rates: readonly number[] | undefined): boolean => (rates?.[OWN_EXPOSURE] ?? Infinity) < CHANCES;

/**
 * Lists candidates by their numbers of which some sessions see one. `shares` are those of sessions that ask for one offer, for
 * two, for three and for more.
 */
export type Newcomers = { offers: readonly number[]; shares: readonly number[] };

/** Returns the share of sessions that see a newcomer in answers of `count` offers. */
export const shareFor = ({ shares }: Newcomers, count: number): number =>
  shares[Math.min(count, TRIAL_PLACES) - 1] ?? 0;

/**
 * Returns the candidates that hardly anybody has seen, as long as they may be worth more than all others of their priority.
 * Null where there are none. Where most are new, only the least seen count.
 *
 * @param worths what the candidates are believed to be worth, in their order
 */
export const newcomersOf = (
  offers: readonly Candidate[],
  worths: readonly Worth[],
  learned: LearnedRates | undefined,
): Newcomers | null => {
  const count = offers.reduce((sum, { isNew }) => sum + (isNew ? 1 : 0), 0);
  const areNew = 2 * count <= offers.length;
  const isNewcomer = (i: number) => (areNew && offers[i]?.isNew === true) || isUnseen(learned?.rates[i]);
  const best = new Map<number, number>();
  for (const [i, { priority }] of offers.entries()) {
    if (!isNewcomer(i)) best.set(priority, Math.max(best.get(priority) ?? 0, worths[i]?.expected ?? 0));
  }
  const newcomers = offers.flatMap((offer, i) =>
    isNewcomer(i) && hopeOf(offer, i, learned) >= (best.get(offer.priority) ?? 0) ? [i] : [],
  );
  if (newcomers.length === 0) return null;
  const isAnyUnseen = newcomers.some((i) => isUnseen(learned?.rates[i]));
  const most = newcomers.length * NEW_SHARE;
  return {
    offers: newcomers,
    shares: isAnyUnseen ? UNSEEN_SHARES : UNSEEN_SHARES.map((share) => Math.min(share, most)),
  };
};
