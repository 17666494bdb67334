import { DAY_MS, HOUR_MS } from "../../../db/core/time.ts";
import type { PacedRow, SetPace } from "../../../db/demand/caps/paces.ts";
import type { Pricing } from "../../../db/schema/values.ts";
import { expectedBetween, type Curve } from "./curve.ts";
import { shareOf, stepFor } from "./steps.ts";

/** Sets how long it takes until most of the edge sees a new share, in milliseconds. */
const EFFECT_MS = 60_000;

/** Limits the time that is accounted for at once, in milliseconds: in a longer one the offer may have stood still. */
const GAP_MS = 15 * 60_000;

/** Sets how long a share is left unaccounted for while it stays, in milliseconds. */
const ACCOUNT_MS = 5 * 60_000;

/** Sets in how long evidence of the rate fades to a half, in milliseconds, where there is enough of it. */
const HALF_LIFE_MS = HOUR_MS;

/** Says how many paid-for events are enough; of fewer, evidence fades for longer. */
const ENOUGH = 100;

/** Sets how many paid-for events the rate outweighs that is assumed at first. */
const PRIOR = 1;

/** Assumes how often requests are paid for at most, so that an offer begins with care. */
const MOST_PAID: Record<Pricing, number> = { CPM: 1, CPC: 0.02, CPA: 0.001 };

/**
 * Holds what is known of an offer's pace: the `step` that is published, and its rate as paid-for events by average hours of
 * traffic, both faded, each hour counted by the share of then. `used` counts the paid-for events until `pacedAt`, which is null
 * for an offer that starts or starts again.
 */
export type Pace = Omit<SetPace, "serial">;

/** Describes an offer that is to be paced, as the database tells of it. */
export type Paced = Omit<PacedRow, "serial" | "curve">;

/** Adds to an offer's pace what happened since it was last accounted for. */
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

/** Lists what an offer may still use, each until when. */
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
 * Works out which share of sessions should see an offer, so that its caps are used up along the curve of its traffic: what is
 * left of a cap, without what comes before the new share is seen, by what is expected to come until the cap ends (Agarwal,
 * Ghosh, Wei and You, "Budget pacing for targeted online advertisements at LinkedIn", 2014). The rate is that of the last
 * hour or so; of an offer of which nothing is known it is taken to be high.
 *
 * @returns the pace to keep, or null while there is nothing to change
 */
export const paceOf = (offer: Paced, curve: Curve, now: number): Pace | null => {
  const budgets = budgetsOf(offer, now);
  // A cap that is reached has stopped the offer: nobody sees it, at whatever share.
  if (budgets.some(({ left }) => left <= 0)) return offer.pacedAt === null ? null : stopped(offer);
  const pace = accounted(offer, curve, now);
  const begins = Math.max(now, offer.startsAt ?? 0);
  const share = shareOf(offer.step);
  const isUnknown = curve.level === null && pace.exposure === 0;
  const shares = budgets.flatMap(({ left, pending, endsAt }) => {
    const all = expectedBetween(curve, begins, endsAt);
    const soon = expectedBetween(curve, begins, Math.min(begins + EFFECT_MS, endsAt));
    // Where no traffic is known, what is published at first is assumed to be right.
    const most = curve.level === null ? left / (all * share) : curve.level * MOST_PAID[offer.pricing];
    const rate = (pace.billed + PRIOR) / (pace.exposure + PRIOR / most);
    return all > soon ? [(left - pending - rate * share * soon) / ((all - soon) * rate)] : [];
  });
  const step = shares.length === 0 || isUnknown ? offer.step : stepFor(Math.min(...shares), offer.step);
  const isDue = offer.pacedAt === null || now - offer.pacedAt >= ACCOUNT_MS;
  return step !== offer.step || isDue ? { ...pace, step } : null;
};
