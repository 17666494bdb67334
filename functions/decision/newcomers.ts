import type { Candidate, LearnedRates } from "../../db/documents/types.ts";
import { hopeOf, OWN_EXPOSURE, type Worth } from "./learning/score.ts";

/** Sets how many impressions an offer gets to show its worth, however old it is and whatever is believed of it. */
const CHANCES = 100;

/** Sets the share of sessions that see one of the newcomers first, as long as some of them have had hardly a chance. */
const UNSEEN_SHARE = 0.25;

/** Sets the share of sessions that each newcomer adds that has had its chances, and is favoured because it is new. */
const NEW_SHARE = 0.02;

const isUnseen = (rates: readonly number[] | undefined): boolean => (rates?.[OWN_EXPOSURE] ?? Infinity) < CHANCES;

/** Lists candidates by their numbers of which each is seen first by some sessions, and the share of these. */
export type Newcomers = { offers: readonly number[]; share: number };

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
  const share = newcomers.some((i) => isUnseen(learned?.rates[i])) ? UNSEEN_SHARE : newcomers.length * NEW_SHARE;
  return { offers: newcomers, share: Math.min(UNSEEN_SHARE, share) };
};
