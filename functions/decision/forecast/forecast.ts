import { hash32 } from "../../core/hash.ts";
import { USUAL_STRENGTHS } from "../learning/belief.ts";
import { STAGES } from "../learning/bounds.ts";
import { drawing, rangeOf, type Range } from "./draws.ts";
import type { Planned } from "./requests.ts";
import { drawWeek, joinedWith, type Joined, type Play, type Surroundings } from "./week.ts";

const DAYS = 7;

/** Sets how many weeks are drawn, and how many requests tell too little of competitors. */
const WEEKS = 120;
const FEWEST = 5;

/**
 * Forecasts how often a planned offer would have been shown in a week, and what that would have cost, in micro-USD.
 *
 * Weeks are drawn: in each, the offer has a rate by chance, as other offers of its advertiser lead to expect, and meets
 * requests of the sample by chance, against the candidates that answer there, in the service's own order, which learns of
 * it. So intervals have what is not known of the offer, of requests and of competitors. What changes from week to week is
 * not in them.
 *
 * @param admitted how many of the sampled requests would be admitted
 * @param plays some of these
 * @returns null where too few are known to tell
 */
export const forecastOf = (
  planned: Planned,
  { admitted, sampled }: { admitted: number; sampled: number },
  plays: readonly Play[],
  surroundings: Surroundings,
): { shown: Range; cost: Range } | null => {
  if (plays.length < FEWEST) return null;
  const stages = STAGES[planned.pricing];
  const strengths = plays[0]?.candidates.learned?.strengths ?? [];
  const draw = drawing(hash32(JSON.stringify(planned)));
  const joined = plays.map((play) => joinedWith(planned, stages, play));
  const weeks = Array.from({ length: WEEKS }, (_, week) => {
    const found = draw.gamma(admitted + 0.5);
    const share = found / (found + draw.gamma(sampled - admitted + 0.5));
    const drawn = stages.map((stage) => {
      const shape = strengths[2 * stage] ?? USUAL_STRENGTHS.offer;
      return ((surroundings.rates[stage] ?? 0) * draw.gamma(shape)) / shape;
    });
    const sample = joined.map(() => joined[draw.below(joined.length)] as Joined);
    const met = surroundings.requests * share;
    const { shown, paid } = drawWeek(sample, drawn, met, surroundings, draw, `${week}`);
    const billed = Math.min(paid, planned.lifetimeCap ?? Infinity, DAYS * (planned.dailyCap ?? Infinity));
    return {
      shown: paid > 0 ? (shown * billed) / paid : shown,
      cost: (billed * planned.bidMicros) / (planned.pricing === "CPM" ? 1_000 : 1),
    };
  });
  return { shown: rangeOf(weeks.map(({ shown }) => shown)), cost: rangeOf(weeks.map(({ cost }) => cost)) };
};
