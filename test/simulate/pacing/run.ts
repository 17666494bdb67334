import { CLOCK, curveOf, type Curve } from "../../../functions/decision/pacing/curve.ts";
import { paceOf, type Pace } from "../../../functions/decision/pacing/pace.ts";
import { randomOf } from "../core/random.ts";
import type { Case } from "./cases.ts";
import { createEdge, ISOLATES, type Published } from "./edge.ts";
import { errorsOf, periodsOf } from "./errors.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { HOUR_MS, MINUTE_MS, START, worldOf } from "./traffic.ts";

/**
 * Holds the results of a run. `errors` has, for each hour, how far the billed events were from the cap's curve, as a
 * share of the cap; `billed` is a share of all caps. `overrun` counts what was shown past a cap on the worst day,
 * `fastest` the requests that the offer was eligible for in the busiest two minutes, and `puts` the publications.
 */
export type PacingRun = { errors: number[]; billed: number; overrun: number; fastest: number; puts: number };

const MINUTES_A_DAY = 24 * 60;

/** Makes a publisher that publishes an offer's state when it changes. */
const createPublisher = (first: Published) => {
  const edge = createEdge(first);
  let current = first;
  let puts = 0;
  const publish = (change: Partial<Published>, now: number): void => {
    const next = { ...current, ...change };
    const { step, taper, isStopped } = current;
    if (next.step === step && next.taper === taper && next.isStopped === isStopped) return;
    current = next;
    puts += 1;
    edge.publish(next, now);
  };
  return { shows: edge.shows, publish, current: () => current, puts: () => puts };
};

/** Makes the cron's duty of each minute: the service's own mathematics, applied to the ledger. */
const createCron = (offer: Case, ledger: Ledger, curve: Curve) => {
  let pace: Pace = { step: 32, billed: 0, exposure: 0, used: 0, pacedAt: null };
  const { pricing, dailyCap, lifetimeCap } = offer;
  const [startsAt, endsAt] = [START + offer.startsAt * HOUR_MS, START + offer.endsAt * HOUR_MS];
  const fixed = { pricing, dailyCap, lifetimeCap, startsAt, endsAt, pending: 0 };
  return (now: number): number => {
    const usage = { usedToday: ledger.today(), usedEver: ledger.ever() };
    pace = paceOf({ ...pace, ...fixed, ...usage }, curve, now) ?? pace;
    return pace.step;
  };
};

/** Plays an offer in traffic, with a cron that runs each minute and an edge that sees later what it publishes. */
export const runCase = (offer: Case, seed: number): PacingRun => {
  const random = randomOf(seed, 16);
  const world = worldOf(offer.perDay, offer.burst, random);
  const ledger = createLedger(offer);
  const cron = offer.pacing === "EVEN" ? createCron(offer, ledger, offer.isKnown ? curveOf(world.known) : CLOCK) : null;
  const publisher = createPublisher({ step: cron ? 32 : 0, taper: 0, isStopped: false });
  const cap = offer.dailyCap ?? offer.lifetimeCap ?? 0;
  const billedBy: number[] = [];
  let [shown, overrun, fastest, fittingBefore] = [0, 0, 0, 0];
  for (let minute = Math.floor(offer.startsAt * 60); minute < offer.endsAt * 60; minute++) {
    const begins = START + minute * MINUTE_MS;
    if (minute % MINUTES_A_DAY === 0 && offer.dailyCap !== null) {
      ledger.beginDay();
      shown = 0;
      // Candidates themselves say when the day of a reached cap is over.
      publisher.publish({ isStopped: false, taper: 0 }, begins - HOUR_MS);
    }
    if (cron) publisher.publish({ step: cron(begins) }, begins);
    const requests = world.requestsIn(minute);
    let fitting = 0;
    for (let i = 0; i < requests; i++) {
      const now = begins + (MINUTE_MS * (i + 0.5)) / requests;
      const counted = ledger.count(now, publisher.current().taper);
      if (counted) publisher.publish(counted, now);
      if (random.uniform() >= offer.fits) continue;
      fitting += 1;
      if (!publisher.shows(`${seed}-${minute}-${i}`, random.below(ISOLATES), now)) continue;
      shown += 1;
      if (offer.pricing === "CPM" || random.uniform() < offer.clicked) ledger.add(now, random.uniform());
    }
    fastest = Math.max(fastest, fitting + fittingBefore);
    fittingBefore = fitting;
    if (offer.pricing === "CPM") overrun = Math.max(overrun, shown - cap);
    if ((minute + 1) % 60 === 0) billedBy[(minute + 1) / 60] = ledger.ever();
  }
  const caps = periodsOf(offer).reduce((sum, period) => sum + period.cap, 0);
  const errors = errorsOf(offer, world, billedBy);
  return { errors, billed: ledger.ever() / caps, overrun, fastest, puts: publisher.puts() };
};
