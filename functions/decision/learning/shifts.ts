import type { JudgedDay } from "../../../db/learning/sums.ts";

/** Limits within how many days a shift is looked for. */
export const SHIFT_DAYS = 14;

/**
 * Sets the part of all that is known of an offer that still counts after a shift. If later days contradict that, too,
 * another shift is found.
 */
export const SHIFT_KEPT = 0.3;

/** Says how much likelier two rates have to make what was counted than one does, as the logarithm of the ratio. */
const SURE = 5;

/** Says by what factor rates have to differ: for less, lasting or not, forgetting does not pay. */
const LEAST_RATIO = 1.25;

/**
 * Says how many clicks must have been expected of days before they tell anything: just after midnight, clicks come from
 * impressions of the day before.
 */
const LEAST_EXPECTED = 1;

/** Says how many clicks the assumption is worth that a day is like any other. */
const USUAL_CLICKS = 50;

/** Returns the factor by which other offers were clicked more than expected: a day may be unusual for all. */
const usualOf = ({ taught, expected, all }: JudgedDay): number =>
  (all.taught - taught + USUAL_CLICKS) / (all.expected - expected + USUAL_CLICKS);

/** Returns the part of a Poisson log-likelihood that depends on the rate. */
const told = (count: number, expected: number): number => (count > 0 ? count * Math.log(count / expected) : 0);

/**
 * Finds out whether an offer's click rate has been a different one for some days: whether two rates, one for these days
 * and one for all that is known, explain the clicks far better than a single rate does (a generalised likelihood ratio
 * of Poisson counts).
 *
 * @param known how many of the offer's clicks are known, faded
 * @param days the last days, the oldest first; the latest may be under way
 * @returns how many times as often as expected the offer was clicked on these days; null where its rate has not shifted
 */
export const shiftOf = (known: number, days: readonly JudgedDay[]): number | null => {
  if (known <= 0) return null;
  let clicks = 0;
  let expected = 0;
  for (const day of days.toReversed()) {
    clicks += day.taught;
    expected += day.expected * usualOf(day);
    if (expected < LEAST_EXPECTED) continue;
    const ratio = clicks / expected;
    if (!(ratio >= LEAST_RATIO || ratio <= 1 / LEAST_RATIO)) continue;
    const rate = (clicks + known) / (expected + known);
    if (told(clicks, expected * rate) + told(known, known * rate) > SURE) return ratio;
  }
  return null;
};
