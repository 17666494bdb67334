import { CLOCK, curveOf, expectedBetween, WEEK_HOURS } from "../../../functions/decision/pacing/curve.ts";
import type { Case } from "./cases.ts";
import { HOUR_MS, START, type World } from "./traffic.ts";

/** Describes a time in which a cap is to be used up, in hours after the start: a day, or all the time of an offer. */
export type Period = { from: number; to: number; cap: number };

/** Lists the times in which an offer's cap is to be used up. */
export const periodsOf = ({ startsAt, endsAt, dailyCap, lifetimeCap }: Case): Period[] => {
  if (dailyCap === null) return [{ from: startsAt, to: endsAt, cap: lifetimeCap ?? 0 }];
  const periods: Period[] = [];
  for (let from = startsAt; from < endsAt;) {
    const midnight = (Math.floor(from / 24) + 1) * 24;
    periods.push({ from, to: Math.min(endsAt, midnight), cap: dailyCap });
    from = midnight;
  }
  return periods;
};

/**
 * Returns for each whole hour how far the billed events of its period were from the cap's curve, as a share of the cap. The
 * curve is the usual traffic, without a burst and without what days stray, from the period's start on; the clock where that
 * is not known.
 *
 * @param billedBy the billed events until each hour
 */
export const errorsOf = (offer: Case, { usual }: World, billedBy: readonly number[]): number[] => {
  const week = { requests: usual, since: START, until: START + WEEK_HOURS * HOUR_MS };
  const curve = offer.isKnown ? curveOf(week) : CLOCK;
  const usualBetween = (from: number, to: number) =>
    expectedBetween(curve, START + from * HOUR_MS, START + to * HOUR_MS);
  let before = 0;
  return periodsOf(offer).flatMap(({ from, to, cap }) => {
    const first = Math.floor(from) + 1;
    const errors = Array.from({ length: Math.floor(to) - first + 1 }, (_, i) => {
      const due = usualBetween(from, first + i) / usualBetween(from, to);
      return ((billedBy[first + i] ?? 0) - before) / cap - due;
    });
    before = billedBy[Math.floor(to)] ?? before;
    return errors;
  });
};
