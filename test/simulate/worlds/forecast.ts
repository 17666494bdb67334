import { hash32, mix32 } from "../../../functions/core/hash.ts";
import { armOf, ARMS } from "../../../functions/decision/arms.ts";
import type { Range } from "../../../functions/decision/forecast/draws.ts";
import { forecastOf } from "../../../functions/decision/forecast/forecast.ts";
import {
  admits,
  admittedShare,
  candidateOf,
  seenRates,
  type Fact,
  type Planned,
} from "../../../functions/decision/forecast/requests.ts";
import { ownersRate } from "../../../functions/decision/learning/bounds.ts";
import { createCounting } from "../core/counting.ts";
import type { OpenOffer, Visit } from "../core/policy.ts";
import { chanceOf, fallsIn } from "../core/random.ts";
import { servicePolicy } from "../policies/service.ts";
import { stationary } from "./catalogue.ts";
import { DAY_MS, START } from "./world.ts";

const COUNT = 4;
const GOES_ON = 0.7;
const SALTS = { place: 1, click: 3, sample: 4, goesOn: 5 } as const;

/** Sets how many offers there are before the planned one, and where. */
const OFFERS = 60;
const PLACEMENTS = 20;
const COUNTRIES = 3;

/** Sets how many requests a week has, and how many of them leave their facts. */
const WEEK = 6_000;
const SAMPLE = 0.03;
const BATCH = 500;

/** Names the only country that the planned offer is not for. */
const EXCLUDED = "C1";

const ANYONE = {
  languages: [],
  currencies: [],
  amountMin: null,
  amountMax: null,
  paymentTypes: [],
  dailyCap: null,
  lifetimeCap: null,
};

/** Tells of an offer that a customer saw: which it is, its place in the answer, and whether it was clicked. */
type Seen = { offerId: string; place: number; clicks: number };

/** Holds what was forecast and what then happened. */
export type Forecast = {
  share: Range | null;
  shown: Range | null;
  cost: Range | null;
  truth: { share: number; shown: number; cost: number };
};

/**
 * Forecasts an offer from a sample of a week, and then plays a week with it. The service has learned of the other offers for
 * three weeks; of the planned one it knows what its advertiser's others do, and learns the rest as it comes.
 */
export const runForecast = async (seed: number): Promise<Forecast> => {
  const world = stationary(OFFERS + 1, { requests: 4 * WEEK, batch: BATCH, days: 28 }, seed, PLACEMENTS, COUNTRIES);
  const all = world.open(START);
  const others = all.slice(0, OFFERS);
  const planned = all[OFFERS] as OpenOffer;
  const withPlanned = [...others, { ...planned, madeAt: START + 21 * DAY_MS }];
  const service = servicePolicy({ seed });
  const visitOf = (i: number): Visit & { at: number } => {
    const at = fallsIn(world.visits, chanceOf(mix32(seed, i), SALTS.place));
    const place = world.places[at] ?? { placementId: "", country: "" };
    return { session: `${seed}-${i}`, place, now: START + i * world.stepMs, count: COUNT, at };
  };
  /** Plays a week, and tells of each offer that is seen. */
  const play = (week: number, listOf: (visit: Visit) => readonly OpenOffer[], onSeen: (seen: Seen) => void) => {
    const counting = createCounting();
    for (let i = week * WEEK; i < (week + 1) * WEEK; i++) {
      const { at, ...visit } = visitOf(i);
      const chances = mix32(seed, i);
      const day = Math.floor(visit.now / DAY_MS);
      const isRandom = armOf(visit.session, COUNT, 0) === ARMS.random;
      for (const [k, serial] of service.choose(visit, listOf(visit)).entries()) {
        const offer = all[serial] as OpenOffer;
        const { id: offerId, pricing } = offer.candidate;
        const rate = world.clickRate(serial, at, visit.now);
        const clicks = Number(chanceOf(mix32(chances, hash32(offerId)), SALTS.click) < rate);
        const counter = counting.at(visit.place, offer, day, k, isRandom);
        counter.impressions += 1;
        counter.clicks += clicks;
        if (pricing === "CPA") counter.clicked += clicks;
        onSeen({ offerId, place: k, clicks });
        if (chanceOf(chances, SALTS.goesOn + 16 * (k + 1)) >= GOES_ON) break;
      }
      if ((i + 1) % BATCH !== 0) continue;
      service.learn(counting.take(), [], visit.now);
    }
  };
  const impressions: number[] = [];
  for (const week of [0, 1])
    play(
      week,
      () => others,
      () => undefined,
    );
  play(
    2,
    () => others,
    ({ place }) => (impressions[place] = (impressions[place] ?? 0) + 1),
  );

  const visits = Array.from({ length: WEEK }, (_, i) => visitOf(2 * WEEK + i));
  const sample = visits.filter((_, i) => chanceOf(mix32(seed, 2 * WEEK + i), SALTS.sample) < SAMPLE);
  const nothing = { language: null, currency: null, amount: null, paymentType: null };
  const { pricing, valueMicros, ecpmMicros, priority, advertiserSerial, id } = planned.candidate;
  const asked: Planned = {
    ...ANYONE,
    pricing,
    priority,
    valueMicros,
    ecpmMicros,
    advertiserSerial,
    bidMicros: valueMicros,
  };
  const facts = sample.map((visit) => {
    const { country } = visit.place;
    return { visit, fact: { ...nothing, country, count: COUNT, fits: country !== EXCLUDED } satisfies Fact };
  });
  const fitting = facts.filter(({ fact }) => admits(candidateOf(asked), fact));
  const known = service.knownAt(START + 21 * DAY_MS);
  const subject = { offerId: id, advertiserId: planned.advertiserId };
  const told = await forecastOf(
    asked,
    { admitted: fitting.length, sampled: facts.length },
    fitting.map(({ visit, fact }) => ({ fact, candidates: service.documentAt(visit, others) })),
    {
      days: [WEEK],
      rates: [ownersRate(known, subject, 0), ownersRate(known, subject, 1)],
      slots: known.slots,
      seen: seenRates(
        WEEK,
        impressions,
        facts.map(({ fact }) => fact.count),
      ),
    },
    async () => undefined,
  );
  let [shown, cost] = [0, 0];
  play(
    3,
    ({ place }) => (place.country === EXCLUDED ? others : withPlanned),
    ({ offerId, clicks }) => {
      if (offerId !== id) return;
      shown += 1;
      cost += clicks * valueMicros;
    },
  );
  const share = visits.filter(({ place }) => place.country !== EXCLUDED).length / WEEK;
  return {
    share: admittedShare(fitting.length, facts.length),
    ...(told ?? { shown: null, cost: null }),
    truth: { share, shown, cost },
  };
};
