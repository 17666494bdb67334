import type { Candidate, LearnedRates } from "../../db/documents/types.ts";
import { hopeOf, OWN_EXPOSURE, type Worth } from "./learning/score.ts";

/** Sets how many impressions an offer gets to show its worth, however old it is and whatever is believed of it. */
const CHANCES = 100;

const isUnseen = (rates: readonly number[] | undefined): boolean => (rates?.[OWN_EXPOSURE] ?? Infinity) < CHANCES;

/**
 * Returns the numbers of the candidates that hardly anybody has seen, as long as they may be worth more than all others
 * of their priority. Null where there are none. Where most are new, only the least seen count.
 *
 * @param worths what the candidates are believed to be worth, in their order
 */
export const newcomersOf = (
  offers: readonly Candidate[],
  worths: readonly Worth[],
  learned: LearnedRates | undefined,
): number[] | null => {
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
  return newcomers.length > 0 ? newcomers : null;
};
