import type { Candidate, LearnedRates } from "../../db/documents/types.ts";
import type { Pricing } from "../../db/schema/values.ts";
import { hash32, mix32 } from "../core/hash.ts";
import { ARMS } from "./arms.ts";
import type { Candidates } from "./columns.ts";
import { unmet, type DecisionRequest } from "./eligibility.ts";
import { USUAL_STRENGTHS, type Evidence } from "./learning/belief.ts";
import { STAGES } from "./learning/bounds.ts";
import { slotEffect } from "./learning/fold.ts";
import { normalQuantile } from "./learning/normal.ts";
import { boundOf, factorAt } from "./learning/score.ts";
import { decide } from "./order.ts";
import { SAMPLE_OFFERS } from "./samples.ts";

/** Holds the facts of a sampled request; `fits` tells whether its place admits the offer. */
export type Fact = {
  country: string;
  language: string | null;
  currency: string | null;
  amount: number | null;
  paymentType: string | null;
  count: number;
  fits: boolean;
};

/** Describes an offer that is not there yet. Caps count what `pricing` names. */
export type Planned = Pick<Candidate, "languages" | "currencies" | "amountMin" | "amountMax" | "paymentTypes"> & {
  pricing: Pricing;
  priority: number;
  bidMicros: number;
  valueMicros: number;
  ecpmMicros: number;
  advertiserSerial: number;
  dailyCap: number | null;
  lifetimeCap: number | null;
};

/** Says what is expected, and between what it lies with a probability of 95 %. It is as likely to be more as to be less. */
export type Range = { expected: number; low: number; high: number };

/** Holds a request that would be admitted, with who else would answer it. */
export type Play = { fact: Fact; candidates: Candidates };

/**
 * Holds what else is known: how many requests came, the advertiser's rates by stage, what places in answers do to clicks,
 * and how often an offer is seen that stands in a place.
 */
export type Surroundings = {
  requests: number;
  rates: readonly number[];
  slots: readonly Evidence[];
  seen: readonly number[];
};

const ID = "ofr_planned";
const DAYS = 7;

/** Sets how many weeks are drawn, and how many requests tell too little of competitors. */
const WEEKS = 120;
const FEWEST = 5;

/** Sets of how many impressions the rate of an offer is taken to be known: what it is shown once it was tried. */
const TRIED = 5_000;

/** Sets after how many impressions at most an offer is tried (newcomers.ts). Where better ones fill a list, none are. */
const MOST_TRIALS = 1_000;

/** Returns the planned offer as lists of candidates have it. */
export const candidateOf = (planned: Planned): Candidate => ({
  ...(SAMPLE_OFFERS[0] as Candidate),
  ...planned,
  id: ID,
  startsAt: null,
  endsAt: null,
});

const requestOf = (fact: Fact, session: string): DecisionRequest => ({
  count: fact.count,
  session,
  arm: ARMS.learned,
  now: 0,
  language: fact.language ?? undefined,
  currency: fact.currency ?? undefined,
  amount: fact.amount ?? undefined,
  paymentType: (fact.paymentType ?? undefined) as DecisionRequest["paymentType"],
});

/** Tells whether an offer would be for a sampled request: its place admits it, and it asks nothing that the request lacks. */
export const admits = (offer: Candidate, fact: Fact): boolean =>
  fact.fits && unmet(offer, requestOf(fact, "")) === null;

/** Draws numbers by chance that are the same each time, so that a forecast asked for twice is the same. */
const drawing = (seed: number) => {
  let step = 0;
  const uniform = () => (mix32(seed, ++step) + 0.5) / 2 ** 32;
  const normal = () => normalQuantile(uniform());
  const gamma = (shape: number) => boundOf({ expected: shape, shape }, normal());
  return { uniform, normal, gamma, below: (limit: number) => Math.floor(uniform() * limit) };
};

/** Tells the middle of draws, since few lucky ones move their mean far up, and between what most of them lie. */
const rangeOf = (draws: readonly number[]): Range => {
  const sorted = draws.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { expected: at(0.5), low: at(0.025), high: at(0.975) };
};

const rounded = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 1e6) / 1e6;

/**
 * Returns which share of all requests would be admitted, by the sample: the interval of Wilson (1927).
 *
 * @returns null without a sample
 */
export const admittedShare = (admitted: number, sampled: number): Range | null => {
  if (sampled === 0) return null;
  const z = 1.96;
  const share = admitted / sampled;
  const scale = 1 + z ** 2 / sampled;
  const center = (share + z ** 2 / (2 * sampled)) / scale;
  const width = (z / scale) * Math.sqrt((share * (1 - share)) / sampled + z ** 2 / (4 * sampled ** 2));
  return { expected: rounded(share), low: rounded(center - width), high: rounded(center + width) };
};

/** Returns how often an offer is seen that stands in a place, by what was seen of answers that have so many offers. */
export const seenRates = (fills: number, impressions: readonly number[], counts: readonly number[]): number[] =>
  impressions.map((seen, place) => {
    const answers = (fills * counts.filter((count) => count > place).length) / Math.max(1, counts.length);
    return answers > 0 ? Math.min(1, seen / answers) : 0;
  });

/**
 * Forecasts how often a planned offer would have been shown in a week, and what that would have cost, in micro-USD.
 *
 * Weeks are drawn: in each, the offer has a rate by chance, as other offers of its advertiser lead to expect, and meets
 * requests of the sample by chance, against the candidates that answer there, in the service's own order. So intervals
 * have what is not known of the offer, of requests and of competitors. What changes from week to week is not in them.
 *
 * @param admitted how many of the sampled requests would be admitted
 * @param plays some of these
 * @returns null where too few are known to tell
 */
export const forecastOf = (
  offer: Planned,
  { admitted, sampled }: { admitted: number; sampled: number },
  plays: readonly Play[],
  { requests, rates, slots, seen }: Surroundings,
): { shown: Range; cost: Range } | null => {
  if (plays.length < FEWEST) return null;
  const candidate = candidateOf(offer);
  const draw = drawing(hash32(JSON.stringify(offer)));
  const joined = plays.map(({ fact, candidates: { offers, learned } }) => ({
    fact,
    offers: [...offers, candidate],
    learned: learned ?? { places: [0, 0, 0, 0], strengths: [], rates: offers.map(() => []) },
  }));
  const stages = STAGES[offer.pricing];
  const weeks = Array.from({ length: WEEKS }, (_, week) => {
    const found = draw.gamma(admitted + 0.5);
    const share = found / (found + draw.gamma(sampled - admitted + 0.5));
    const drawn = stages.map((stage) => {
      const shape = joined[0]?.learned.strengths[2 * stage] ?? USUAL_STRENGTHS.offer;
      return ((rates[stage] ?? 0) * draw.gamma(shape)) / shape;
    });
    const phases = { new: { views: 0, payments: 0 }, tried: { views: 0, payments: 0 } };
    for (let i = 0; i < joined.length; i++) {
      const { fact, offers, learned } = joined[draw.below(joined.length)] as (typeof joined)[number];
      const factors = stages.map((stage) => factorAt(stage, learned));
      const paid = drawn.reduce((product, rate, stage) => product * rate * (factors[stage] ?? 1), 1);
      for (const [phase, exposure] of [
        [phases.new, 0],
        [phases.tried, TRIED],
      ] as const) {
        const own = drawn.flatMap((rate, stage) => [rates[stage] ?? 0, rate * exposure, exposure, 0, 0]);
        const told: LearnedRates = { ...learned, rates: [...learned.rates, own] };
        const chosen = decide({ offers, learned: told }, null, requestOf(fact, `${week} ${i}`));
        const place = chosen.findIndex(({ id }) => id === ID);
        if (place === -1) continue;
        const view = (seen[place] ?? 0) / joined.length;
        phase.views += view;
        phase.payments += view * (stages.length === 0 ? 1 : paid * slotEffect(slots, place));
      }
    }
    // Until it was tried, some of the sessions see it whatever it is worth, where it is listed; how long depends on what it is held against.
    const met = requests * share;
    const trial = MOST_TRIALS * draw.uniform() ** 2;
    const first = phases.new.views > 0 ? Math.min(met, trial / phases.new.views) : 0;
    const inAll = (of: "views" | "payments") => phases.new[of] * first + phases.tried[of] * (met - first);
    const stray = (mean: number) => Math.max(0, mean + Math.sqrt(mean) * draw.normal());
    const wanted = stray(inAll("payments"));
    const capped = Math.min(wanted, offer.lifetimeCap ?? Infinity, DAYS * (offer.dailyCap ?? Infinity));
    const kept = wanted > 0 ? capped / wanted : 1;
    if (stages.length === 0) return { shown: capped, cost: (capped * offer.bidMicros) / 1_000 };
    return { shown: stray(inAll("views")) * kept, cost: capped * offer.bidMicros };
  });
  return { shown: rangeOf(weeks.map(({ shown }) => shown)), cost: rangeOf(weeks.map(({ cost }) => cost)) };
};
