import { CLOCK, curveOf, expectedBetween, WEEK_HOURS } from "../../../functions/decision/pacing/curve.ts";
import type { Case } from "./cases.ts";
import { HOUR_MS, START, type World } from "./traffic.ts";

/** Describes a period in which a cap is to be used up, in hours after the start: a day, or an offer's whole time. */
export type Period = { from: number; to: number; cap: number };

/** Lists the periods in which an offer's cap is to be used up. */
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
 * Returns how far a period's billed events were from its cap's curve at the end of each whole hour, as a share of the
 * cap. The curve is that of usual traffic from the period's start on, without a burst and without random variation, or
 * follows the clock where traffic is not known.
 *
 * @param billedBy the billed events up to each hour
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
