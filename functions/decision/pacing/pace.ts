import { DAY_MS, HOUR_MS } from "../../../db/core/time.ts";
import type { PacedRow, SetPace } from "../../../db/demand/caps/paces.ts";
import { ASSUMED_EVENTS } from "../../../db/demand/pricing.ts";
import { expectedBetween, type Curve } from "./curve.ts";
import { shareOf, stepFor } from "./steps.ts";

/** Sets how long it takes until most of the edge sees a new share, in milliseconds. */
const EFFECT_MS = 60_000;

/** Limits the time that is accounted for at once, in milliseconds: in a longer time the offer may have been stopped. */
const GAP_MS = 15 * 60_000;

/** Sets how often an unchanged share is accounted for, in milliseconds. */
const ACCOUNT_MS = 5 * 60_000;

/** Sets the half-life of evidence of the rate, in milliseconds, where there is enough of it. */
const HALF_LIFE_MS = HOUR_MS;

/** Says how many paid-for events are enough; with fewer, evidence fades more slowly. */
const ENOUGH = 100;

/** Sets how many paid-for events the assumed rate is worth. */
const PRIOR = 1;

/**
 * Holds what is known of an offer's pace: the `step` that is published, and its rate, which is `billed / exposure`.
 * `billed` counts paid-for events, and `exposure` the average hours of traffic, times the share that was then
 * published; both are faded. `used` counts the paid-for events until `pacedAt`, which is null for an offer that starts
 * or starts again.
 */
export type Pace = Omit<SetPace, "serial">;

/** Describes an offer that is to be paced, as read from the database. */
export type Paced = Omit<PacedRow, "serial" | "curve">;

/** Adds what happened since the last accounting to an offer's pace. */
const accounted = (offer: Paced, curve: Curve, now: number): Pace => {
  const { step, pacedAt, startsAt, usedEver } = offer;
  const brought = { step, used: usedEver, pacedAt: now };
  const since = Math.max(pacedAt ?? now, startsAt ?? 0);
  if (pacedAt === null || since >= now || now - pacedAt > GAP_MS) {
    return { ...brought, billed: offer.billed, exposure: offer.exposure };
  }
  const fading = 2 ** (-((now - since) / HALF_LIFE_MS) * Math.min(1, offer.billed / ENOUGH));
  return {
    ...brought,
    billed: offer.billed * fading + Math.max(0, usedEver - offer.used),
    exposure: offer.exposure * fading + shareOf(step) * expectedBetween(curve, since, now),
  };
};

const stopped = ({ step, billed, exposure, usedEver }: Paced): Pace => ({
  step,
  billed,
  exposure,
  used: usedEver,
  pacedAt: null,
});

type Budget = { left: number; pending: number; endsAt: number };

/** Lists what an offer may still use of each cap, and until when. */
const budgetsOf = (offer: Paced, now: number): Budget[] => {
  const { dailyCap, lifetimeCap, startsAt, endsAt } = offer;
  const begins = Math.max(now, startsAt ?? 0);
  const midnight = (Math.floor(begins / DAY_MS) + 1) * DAY_MS;
  const usedToday = begins === now ? offer.usedToday : 0;
  const budgets: Budget[] = [];
  if (dailyCap !== null) {
    budgets.push({ left: dailyCap - usedToday, pending: 0, endsAt: Math.min(midnight, endsAt ?? Infinity) });
  }
  if (lifetimeCap !== null && endsAt !== null) {
    budgets.push({ left: lifetimeCap - offer.usedEver, pending: offer.pending, endsAt });
  }
  return budgets;
};

/**
 * Works out the share of sessions that should see an offer, so that its caps are used up along the curve of its
 * traffic. The share is what is left of a cap, less what is billed before the new share is seen, divided by what the
 * traffic expected until the cap ends would bill if every session saw the offer (Agarwal, Ghosh, Wei and You, "Budget
 * pacing for targeted online advertisements at LinkedIn", 2014). The rate at which traffic is billed is that of the
 * last hour or so; while nothing is known, it is assumed to be high.
 *
 * @returns the pace to keep, or null while there is nothing to change
 */
export const paceOf = (offer: Paced, curve: Curve, now: number): Pace | null => {
  const budgets = budgetsOf(offer, now);
  // A reached cap has stopped the offer: nobody sees it, whatever its share.
  if (budgets.some(({ left }) => left <= 0)) return offer.pacedAt === null ? null : stopped(offer);
  const pace = accounted(offer, curve, now);
  const begins = Math.max(now, offer.startsAt ?? 0);
  const share = shareOf(offer.step);
  const isUnknown = curve.level === null && pace.exposure === 0;
  const shares = budgets.flatMap(({ left, pending, endsAt }) => {
    const all = expectedBetween(curve, begins, endsAt);
    const soon = expectedBetween(curve, begins, Math.min(begins + EFFECT_MS, endsAt));
    // It begins with care, as if each request showed it. Where no traffic is known, it is assumed that the first
    // published share is right.
    const most = curve.level === null ? left / (all * share) : curve.level * ASSUMED_EVENTS[offer.pricing];
    const rate = (pace.billed + PRIOR) / (pace.exposure + PRIOR / most);
    return all > soon ? [(left - pending - rate * share * soon) / ((all - soon) * rate)] : [];
  });
  const step = shares.length === 0 || isUnknown ? offer.step : stepFor(Math.min(...shares), offer.step);
  const isDue = offer.pacedAt === null || now - offer.pacedAt >= ACCOUNT_MS;
  return step !== offer.step || isDue ? { ...pace, step } : null;
};
