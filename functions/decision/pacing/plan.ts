import { DAY_MS, HOUR_MS } from "../../../db/core/time.ts";
import type { PlannedOffer } from "../../../db/demand/caps/paces.ts";
import { CLOCK, curveOf, expectedBetween } from "./curve.ts";
import { shareOf } from "./steps.ts";

/** Sets into how many steps the plan of a lifetime cap is divided. */
const STEPS = 60;

const iso = (time: number): string => new Date(time).toISOString();

/** Lists times: the first, and one after each of so many steps of a length. */
const timesFrom = (from: number, steps: number, length: number): number[] =>
  Array.from({ length: steps + 1 }, (_, i) => from + i * length);

/**
 * Plans how an offer of pacing EVEN uses its caps along the curve of its traffic, from the beginning of each cap to its
 * end. There is no plan for another pacing, or for a cap without an end. The daily plan is for today; for an offer that
 * has not begun, for its first UTC day, and for one that is over, for its last.
 *
 * @returns each cap with its limit, what is used, and the plan for now and for times along the way, in paid-for events
 *   to two digits
 */
export const planOf = ({ now, pacing, dailyCap, lifetimeCap, used, days, step, ...offer }: PlannedOffer) => {
  const curve = offer.curve ? curveOf(offer.curve) : CLOCK;
  const isEven = pacing === "EVEN";
  const ends = offer.endsAt ?? Infinity;
  const begins = Math.min(offer.begins, ends);
  const shown = Math.max(begins, Math.min(now, ends - 1));
  const midnight = shown - (shown % DAY_MS);
  const planned = (limit: number, from: number, until: number, times: readonly number[]) => {
    const all = isEven && until < Infinity ? expectedBetween(curve, from, until) : 0;
    const plan = (time: number): number =>
      Math.round((100 * limit * expectedBetween(curve, from, Math.min(time, until))) / all) / 100;
    return {
      limit,
      planned: all > 0 ? plan(now) : null,
      from: iso(from),
      until: until < Infinity ? iso(until) : null,
      points: all > 0 ? times.map((time) => ({ at: iso(time), planned: plan(time) })) : [],
    };
  };
  const daily = dailyCap !== null && {
    cap: "DAILY" as const,
    used: days.find(({ day }) => day === iso(midnight).slice(0, 10))?.used ?? 0,
    ...planned(
      dailyCap,
      Math.max(midnight, begins),
      Math.min(midnight + DAY_MS, ends),
      timesFrom(midnight, DAY_MS / HOUR_MS, HOUR_MS),
    ),
  };
  const lifetime = lifetimeCap !== null && {
    cap: "LIFETIME" as const,
    used,
    ...planned(lifetimeCap, begins, ends, timesFrom(begins, STEPS, (ends - begins) / STEPS)),
    days,
  };
  return {
    pacing,
    basis: isEven ? (curve.level === null ? ("CLOCK" as const) : ("TRAFFIC" as const)) : null,
    share: step === null ? null : shareOf(step),
    caps: [daily, lifetime].filter((each) => each !== false),
  };
};
