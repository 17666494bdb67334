import { hash32 } from "../../core/hash.ts";
import type { Stage } from "../learning/sums.ts";
import { STAGES } from "../learning/bounds.ts";
import { normalQuantile } from "../learning/normal.ts";
import { boundOf, offerStrength, ownFactor } from "../learning/score.ts";
import { drawing, rangeOf, type Range } from "./draws.ts";
import type { Planned } from "./requests.ts";
import { drawWeek, joinedPlays, LOOKS, type JoinedPlay, type Play, type Surroundings } from "./week.ts";

/** Sets how many weeks are drawn, and how many requests of the sample a forecast needs at least. */
const WEEKS = 120;
const FEWEST = 5;

/**
 * Sets the order in which weeks take parts of the possible rates, by stage. No step shares a divisor with the number of
 * weeks.
 */
const STEPS = [1, 77];

/**
 * Returns the quantile of the possible rates that a week takes as its own. Each part of the rates has one week, in
 * another order for each stage: if they were drawn by chance alone, the weeks that all forecasts share might be lucky
 * ones.
 */
const partOf = (week: number, stage: number): number => (((week * (STEPS[stage] ?? 1)) % WEEKS) + 0.5) / WEEKS;

/** Says how many offers the assumption is worth that an offer does as well as its advertiser's rate says. */
const AS_ADVERTISER = 5;

/**
 * Returns the factor by which the candidates fall short of their advertisers' rates, on average. Such rates come mostly
 * from the offers that are shown most, which are the better ones.
 */
const usualFactor = (plays: readonly Play[], stage: Stage): number => {
  const known = new Map<string, number>();
  for (const { offers, learned } of new Set(plays.map(({ candidates }) => candidates))) {
    for (const [i, { id }] of offers.entries()) {
      const factor = ownFactor(stage, i, learned);
      if (factor !== null) known.set(id, factor);
    }
  }
  const sum = [...known.values()].reduce((total, factor) => total + factor, AS_ADVERTISER);
  return Math.min(1, sum / (AS_ADVERTISER + known.size));
};

/** Bounds how many decisions are made for a week, so that a forecast costs the same whatever was sampled. */
const DECISIONS = 540;

/** Picks at most so many requests, spread evenly over the lists of candidates that they meet. */
const spread = (plays: readonly Play[], most: number): readonly Play[] => {
  if (plays.length <= most) return plays;
  const byList = [...Map.groupBy(plays, ({ candidates }) => candidates).values()].flat();
  return Array.from({ length: most }, (_, i) => byList[Math.floor(((i + 0.5) * byList.length) / most)] as Play);
};

/**
 * Returns how many of a week's paid-for events remain within the caps. They are split among days in proportion to their
 * requests, and a daily cap limits each day by itself: what one day has beyond the cap does not count on another.
 */
const withinCaps = (
  paid: number,
  { dailyCap, lifetimeCap }: Planned,
  days: readonly number[],
  requests: number,
): number => {
  const daily = dailyCap ?? Infinity;
  const byDay = days.reduce((total, of) => total + Math.min(daily, (paid * of) / requests), 0);
  return Math.min(dailyCap === null ? paid : Math.round(byDay), lifetimeCap ?? Infinity);
};

/**
 * Forecasts how often a planned offer would have been shown in a week, and what that would have cost, in micro-USD.
 *
 * Weeks are drawn at random. In each, the offer has a random rate, such as its advertiser's other offers suggest. It
 * meets random requests of the sample, against the candidates that answer there, in the service's own order, which
 * learns about it. So intervals include what is not known of the offer, of requests and of competitors. They do not
 * include what changes from week to week. Offers for the same requests meet the same weeks, so that their forecasts can
 * be compared.
 *
 * @param admitted how many of the sampled requests would be admitted
 * @param plays some of these; at most as many are taken as decisions may be made for
 * @param giveWay is awaited before each week, since all of them together take half a second of processor time or more
 * @returns null where too few plays are known for a forecast
 */
export const forecastOf = async (
  planned: Planned,
  { admitted, sampled }: { admitted: number; sampled: number },
  plays: readonly Play[],
  surroundings: Surroundings,
  giveWay: () => Promise<void>,
): Promise<{ shown: Range; cost: Range } | null> => {
  if (plays.length < FEWEST) return null;
  const stages = STAGES[planned.pricing];
  const most = Math.floor(DECISIONS / (stages.length === 0 ? 1 : LOOKS));
  const rates = stages.map((stage) => (surroundings.rates[stage] ?? 0) * usualFactor(plays, stage));
  const { days } = surroundings;
  const requests = days.reduce((total, of) => total + of, 0);
  const joined = joinedPlays(planned, stages, spread(plays, most));
  const drawOne = (week: number): { shown: number; cost: number } => {
    const draw = drawing(hash32(`week ${week}`));
    const found = draw.gamma(admitted + 0.5);
    const share = found / (found + draw.gamma(sampled - admitted + 0.5));
    const drawn = stages.map((stage, nr) => {
      const shape = offerStrength(stage, plays[0]?.candidates.learned);
      return boundOf({ expected: rates[nr] ?? 0, shape }, normalQuantile(partOf(week, stage)));
    });
    const sample = joined.map(() => joined[draw.below(joined.length)] as JoinedPlay);
    const met = requests * share;
    const { shown, paid } = drawWeek(sample, drawn, met, surroundings, draw, `${week}`);
    const billed = withinCaps(paid, planned, days, requests);
    return {
      shown: paid > 0 ? (shown * billed) / paid : shown,
      cost: (billed * planned.bidMicros) / (planned.pricing === "CPM" ? 1_000 : 1),
    };
  };
  const weeks: { shown: number; cost: number }[] = [];
  for (let week = 0; week < WEEKS; week++) {
    await giveWay();
    weeks.push(drawOne(week));
  }
  return { shown: rangeOf(weeks.map(({ shown }) => shown)), cost: rangeOf(weeks.map(({ cost }) => cost)) };
};
