import { hash32, mix32 } from "../../../functions/core/hash.ts";
import { armOf, ARMS, PARTS, partOf } from "../../../functions/decision/arms.ts";
import { gainOf, type Part } from "../../../functions/decision/experiment.ts";
import { createCounting } from "../core/counting.ts";
import type { Conversion, OpenOffer, Visit } from "../core/policy.ts";
import { chanceOf, fallsIn } from "../core/random.ts";
import { servicePolicy } from "../policies/service.ts";
import { drifting, type Size } from "./catalogue.ts";
import { DAY_MS, START, valueOf } from "./world.ts";

const COUNT = 4;
const GOES_ON = 0.7;
const HOLDOUT_PERCENT = 5;

/** Sets the share of sessions that ask once more, each time, and the share that click readily. */
const ASKS_AGAIN = 0.4;
const EAGER = 0.25;
const MOODS = { eager: 3.4, other: 0.2 };

const SALTS = { place: 1, again: 2, mood: 3, goesOn: 4, click: 5, conversion: 6, delay: 7 } as const;

/** Tells of one look at an experiment: what a thousand requests truly earned more, and what was said of it, in USD. */
export type Look = { day: number; truth: number; low: number; high: number };

type Totals = { requests: Float64Array; money: Float64Array };

const totals = (): Totals => ({ requests: new Float64Array(PARTS), money: new Float64Array(PARTS) });

const sum = (numbers: Float64Array): number => numbers.reduce((all, number) => all + number, 0);

/** Returns USD for a thousand requests, of micro-USD for one. */
const usd = (micros: number): number => micros / 1_000;

/** Compares two arms of one publisher as the service's query does (db/tracking/experiments.ts). */
const partsOf = (learned: Totals, held: Totals): Part[] => {
  const rate = sum(learned.money) / sum(learned.requests);
  const weight = sum(held.requests) / sum(learned.requests);
  return Array.from({ length: PARTS }, (_, part) => {
    const beyond = (learned.money[part] ?? 0) - rate * (learned.requests[part] ?? 0);
    const requests = held.requests[part] ?? 0;
    return {
      requests,
      got: held.money[part] ?? 0,
      expected: rate * requests,
      beyond: weight * beyond,
      spread: Math.sqrt(weight) * beyond,
    };
  });
};

/**
 * Runs a drifting world in which sessions are held out, and looks at the comparison each day. A session may ask several
 * times, and some click many times as often as others; conversions come days later. The true gain is how much more all
 * requests so far were expected to earn by the learned order, whichever answered them; of conversions, what has come by
 * then.
 *
 * @param isIdle serves all by the order before learning, so that there is nothing to gain
 * @returns the looks that told something
 */
export const runHeldOut = (size: Size, seed: number, isIdle: boolean): Look[] => {
  const world = drifting(size, seed);
  const policy = servicePolicy({ seed });
  const arms = { [ARMS.learned]: totals(), [ARMS.holdout]: totals(), [ARMS.random]: totals() };
  const looks: Look[] = [];
  const counting = createCounting();
  let coming: { at: number; happens: () => Conversion | null }[] = [];
  let [gained, visitor, looked] = [0, 0, 0];
  let session = "";
  // Names the offers that the session has taught of: a second look teaches nothing, as in the service.
  const taught = new Set<string>();
  for (let i = 0; i < world.requests; i++) {
    const now = START + i * world.stepMs;
    const day = Math.floor(now / DAY_MS);
    const chances = mix32(seed, i);
    if (i === 0 || chanceOf(chances, SALTS.again) >= ASKS_AGAIN) {
      visitor = mix32(seed, i);
      session = `${seed}-${i}`;
      taught.clear();
    }
    const at = fallsIn(world.visits, chanceOf(visitor, SALTS.place));
    const mood = chanceOf(visitor, SALTS.mood) < EAGER ? MOODS.eager : MOODS.other;
    const visit: Visit = { session, place: world.places[at] ?? { placementId: "", country: "" }, now, count: COUNT };
    const open = world.open(now);
    const offerOf = (serial: number): OpenOffer => {
      const offer = open.find(({ candidate }) => candidate.serial === serial);
      if (!offer) throw new Error("an offer was chosen that is not open");
      return offer;
    };
    const delay = world.delay(chanceOf(chances, SALTS.delay));
    /** Adds what an answer is expected to earn, with a sign, when it is paid. */
    const value = (serials: readonly number[], sign: number) => {
      for (const [k, serial] of serials.entries()) {
        const offer = offerOf(serial);
        const { pricing } = offer.candidate;
        const worth = sign * GOES_ON ** k * valueOf(world, offer, at, now) * (pricing === "CPM" ? 1 : mood);
        if (pricing !== "CPA") gained += worth;
        else
          coming.push({
            at: now + delay,
            happens: () => {
              gained += worth;
              return null;
            },
          });
      }
    };
    const arm = armOf(session, COUNT, HOLDOUT_PERCENT);
    const held = policy.choose({ ...visit, arm: ARMS.holdout }, open);
    const learned = isIdle ? held : policy.choose({ ...visit, arm: ARMS.learned }, open);
    value(learned, 1);
    value(held, -1);
    const told = { [ARMS.learned]: learned, [ARMS.holdout]: held };
    const chosen = arm === ARMS.random ? policy.choose({ ...visit, arm }, open) : told[arm];
    const { requests, money } = arms[arm];
    const part = partOf(session, "");
    requests[part] = (requests[part] ?? 0) + 1;
    const pay = (micros: number) => {
      money[part] = (money[part] ?? 0) + micros;
    };
    for (const [k, serial] of chosen.entries()) {
      const offer = offerOf(serial);
      const { id: offerId, pricing, valueMicros } = offer.candidate;
      const customer = mix32(chances, hash32(offerId));
      const clicks = Number(chanceOf(customer, SALTS.click) < mood * world.clickRate(serial, at, now));
      const counterOf = () => counting.at(visit.place, offer, day, k, arm === ARMS.random);
      const counter = counterOf();
      if (pricing === "CPA") counter.clicked += clicks;
      if (!taught.has(offerId)) {
        counter.impressions += 1;
        counter.clicks += clicks;
      }
      taught.add(offerId);
      if (pricing === "CPM") pay(valueMicros / 1_000);
      if (pricing === "CPC") pay(clicks * valueMicros);
      const buys = chanceOf(customer, SALTS.conversion) < world.conversionRate(serial, at, now);
      if (pricing === "CPA" && clicks === 1 && buys) {
        coming.push({
          at: now + delay,
          happens: () => {
            pay(valueMicros);
            counterOf().conversions += 1;
            return { offerId, day, delay: Math.floor(delay / DAY_MS) };
          },
        });
      }
      if (chanceOf(chances, SALTS.goesOn + 16 * (k + 1)) >= GOES_ON) break;
    }
    if ((i + 1) % world.batch === 0) {
      const due = coming.filter(({ at: comes }) => comes <= now);
      coming = coming.filter(({ at: comes }) => comes > now);
      const conversions = due.flatMap(({ happens }) => happens() ?? []);
      policy.learn(counting.take(), conversions, now);
      if (day === looked) continue;
      looked = day;
      const gain = gainOf(partsOf(arms[ARMS.learned], arms[ARMS.holdout]));
      if (gain) looks.push({ day, truth: usd(gained / (i + 1)), low: usd(gain.low), high: usd(gain.high) });
    }
  }
  return looks;
};
