import { hash32, mix32 } from "../../../functions/core/hash.ts";
import { armOf, ARMS } from "../../../functions/decision/arms.ts";
import { bestOf } from "../core/best.ts";
import { createCounting } from "../core/counting.ts";
import type { Conversion, OpenOffer, Policy, Visit } from "../core/policy.ts";
import { chanceOf, fallsIn } from "../core/random.ts";
import { DAY_MS, START, valueOf, type World } from "./world.ts";

/** Sets how many offers an answer has. */
const COUNT = 4;

/**
 * Sets the share of customers who go on from an offer to the next. A seen offer is clicked as often in every place.
 */
const GOES_ON = 0.7;

/** Sets for how many stretches of a run earnings are told. */
export const STRETCHES = 50;

/**
 * Holds what a run earned and could have earned, by stretches; and when the newcomer was shown, by requests since it
 * came.
 */
export type Run = { got: number[]; best: number[]; showings: number[] };

/** Names what happens by chance, so that each has chances of its own. */
const SALTS = { place: 1, goesOn: 2, click: 3, conversion: 4, delay: 5 } as const;

/** Runs a world with a policy. What customers do is the same for the same seed, whatever they are shown. */
export const runWorld = (world: World, policy: Policy, seed: number): Run => {
  const run: Run = { got: Array(STRETCHES).fill(0), best: Array(STRETCHES).fill(0), showings: [] };
  const counted = createCounting();
  let coming: { at: number; told: Conversion; count: () => void }[] = [];
  let bests = new Map<number, number>();
  let bestsOf: { open: readonly OpenOffer[]; time: number } = { open: [], time: 0 };
  const visit: Visit = { session: "", place: { placementId: "", country: "" }, now: START, count: COUNT };
  const bestAt = (open: readonly OpenOffer[], place: number, time: number): number => {
    if (bestsOf.open !== open || bestsOf.time !== time) {
      bestsOf = { open, time };
      bests = new Map();
    }
    let best = bests.get(place);
    if (best === undefined) {
      const values = bestOf(open, COUNT, (offer) => valueOf(world, offer, place, visit.now));
      best = values.reduce((sum, offer, k) => sum + GOES_ON ** k * valueOf(world, offer, place, visit.now), 0);
      bests.set(place, best);
    }
    return best;
  };
  let seenSince = -1;
  for (let i = 0; i < world.requests; i++) {
    const now = START + i * world.stepMs;
    const day = Math.floor(now / DAY_MS);
    const chances = mix32(seed, i);
    const at = fallsIn(world.visits, chanceOf(chances, SALTS.place));
    visit.session = `${seed}-${i}`;
    visit.place = world.places[at] ?? visit.place;
    visit.now = now;
    const open = world.open(now);
    const stretch = Math.floor((i / world.requests) * STRETCHES);
    const isRandom = armOf(visit.session, COUNT, 0) === ARMS.random;
    const chosen = policy.choose(visit, open);
    let seen = true;
    let weight = 1;
    if (world.newcomer && now >= world.newcomer.at) seenSince += 1;
    for (const [k, serial] of chosen.entries()) {
      const offer = open.find(({ candidate }) => candidate.serial === serial);
      if (!offer) throw new Error("an offer was chosen that is not open");
      run.got[stretch] = (run.got[stretch] ?? 0) + weight * valueOf(world, offer, at, now);
      weight *= GOES_ON;
      if (!seen) continue;
      const customer = mix32(chances, hash32(offer.candidate.id));
      const rate = world.clickRate(serial, at, now);
      const increase = counted.at(visit.place, offer, day, k, isRandom);
      increase.impressions += 1;
      if (serial === world.newcomer?.serial) run.showings.push(seenSince);
      if (chanceOf(customer, SALTS.click) < rate) {
        const mayConvert = offer.candidate.pricing === "CPA";
        increase.clicks += 1;
        increase.clicked += Number(mayConvert);
        if (mayConvert && chanceOf(customer, SALTS.conversion) < world.conversionRate(serial, at, now)) {
          const delay = world.delay(chanceOf(customer, SALTS.delay));
          const clicked = visit.place;
          coming.push({
            at: now + delay,
            told: { offerId: offer.candidate.id, day, delay: Math.floor(delay / DAY_MS) },
            count: () => {
              counted.at(clicked, offer, day, k, isRandom).conversions += 1;
            },
          });
        }
      }
      seen = chanceOf(chances, SALTS.goesOn + 16 * (k + 1)) < GOES_ON;
    }
    run.best[stretch] = (run.best[stretch] ?? 0) + bestAt(open, at, Math.floor(now / world.changesMs));
    if ((i + 1) % world.batch !== 0) continue;
    const due = coming.filter(({ at: comes }) => comes <= now);
    coming = coming.filter(({ at: comes }) => comes > now);
    for (const { count } of due) count();
    policy.learn(
      counted.take(),
      due.map(({ told }) => told),
      now,
    );
  }
  return run;
};
