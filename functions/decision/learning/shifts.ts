import type { Fading, OfferDay } from "../../../db/learning/sums.ts";
import { weightOf } from "./sums.ts";

/** Limits how many days a shift is looked for in. */
export const SHIFT_DAYS = 14;

/**
 * Says how much likelier two rates have to make what was counted than one rate does, as the logarithm of that ratio. By chance
 * one comparison in two thousand comes as far.
 */
const SURE = 6;

/**
 * Sets for how much counts what happened before a shift: it may be due to chance, and how places differ does not shift. A
 * shift that is still as plain on the next day is found once more.
 */
const KEPT = 0.4;

/** Tells since which day another rate holds, counted from 1970, and which parts of an offer's clicks and exposure count on. */
export type Shift = { since: number; clicks: number; exposure: number };

/** Returns the part of a log-likelihood that depends on a rate. */
const told = (count: number, expected: number): number => (count > 0 ? count * Math.log(count / expected) : 0);

/**
 * Looks for the day since when an offer's click rate is another one: what happened until then, and since, is told far better
 * by a rate each than by one for both (a generalised likelihood ratio of Poisson counts). It would take weeks to outweigh all
 * that came before.
 *
 * @param all the offer's clicks and exposure, by the weights of their days
 * @param days what of them happened on each of the last days, the oldest first, not weighed; the latest may be under way
 * @param today days since 1970
 * @returns the likeliest day, or null where one rate tells enough
 */
export const shiftOf = (
  all: { clicks: number; exposure: number },
  days: readonly Pick<OfferDay, "day" | "taught" | "exposure">[],
  today: number,
  fading: Fading,
): Shift | null => {
  const weight = weightOf(today, fading);
  const shown = all.exposure / weight;
  let found: Shift | null = null;
  let surest = SURE;
  let clicks = 0;
  let exposure = 0;
  for (const day of days.toReversed()) {
    const left = weightOf(day.day, fading) / weight;
    clicks += day.taught * left;
    exposure += day.exposure * left;
    // May be less than days tell: of an offer whose creative changed, little of what came before is kept.
    const before = { clicks: Math.max(0, all.clicks / weight - clicks), exposure: shown - exposure };
    if (exposure <= 0 || before.exposure <= 0) continue;
    const rate = (clicks + before.clicks) / shown;
    const sure = told(clicks, exposure * rate) + told(before.clicks, before.exposure * rate);
    if (sure <= surest) continue;
    surest = sure;
    found = {
      since: day.day,
      clicks: (clicks + KEPT * before.clicks) / (clicks + before.clicks),
      exposure: (exposure + KEPT * before.exposure) / shown,
    };
  }
  return found;
};
