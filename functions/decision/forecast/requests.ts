import type { SampledFact } from "../../../db/demand/forecast.ts";
import type { Candidate } from "../../../db/documents/types.ts";
import type { RequestColumn } from "../../../db/schema/targeting.ts";
import type { Pricing } from "../../../db/schema/values.ts";
import { ARMS } from "../arms.ts";
import { unmet, type DecisionRequest } from "../eligibility.ts";
import { SAMPLE_OFFERS } from "../samples.ts";
import type { Range } from "./draws.ts";

/** Holds the facts of a sampled request. */
export type Fact = Omit<SampledFact, "placementId">;

/** Describes an offer that does not exist yet. Caps count what `pricing` names. */
export type Planned = Pick<Candidate, RequestColumn> & {
  pricing: Pricing;
  priority: number;
  bidMicros: number;
  valueMicros: number;
  ecpmMicros: number;
  advertiserSerial: number;
  dailyCap: number | null;
  lifetimeCap: number | null;
};

/** Names the planned offer among candidates. */
export const PLANNED_ID = "ofr_planned";

/** Returns the planned offer in the form that lists of candidates have. */
export const candidateOf = (planned: Planned): Candidate => ({
  ...(SAMPLE_OFFERS[0] as Candidate),
  ...planned,
  id: PLANNED_ID,
  startsAt: null,
  endsAt: null,
});

/** Returns a sampled request as that of a session that has seen nothing yet. */
export const requestOf = (fact: Fact, session: string): Required<DecisionRequest> => ({
  count: fact.count,
  session,
  arm: ARMS.learned,
  now: 0,
  language: fact.language ?? undefined,
  currency: fact.currency ?? undefined,
  amount: fact.amount ?? undefined,
  paymentType: (fact.paymentType ?? undefined) as DecisionRequest["paymentType"],
  seen: undefined,
});

/**
 * Tells whether an offer would be for a sampled request: the place fits, and it asks nothing that the request lacks.
 */
export const admits = (offer: Candidate, fact: Fact): boolean =>
  fact.fits && unmet(offer, requestOf(fact, "")) === null;

const rounded = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 1e6) / 1e6;

/**
 * Returns the share of all requests that would be admitted, going by the sample, with Wilson's interval (1927).
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

/**
 * Returns for each place how often an offer there is seen: impressions there, divided by answers with so many offers.
 */
export const seenRates = (fills: number, impressions: readonly number[], counts: readonly number[]): number[] =>
  impressions.map((seen, place) => {
    const answers = (fills * counts.filter((count) => count > place).length) / Math.max(1, counts.length);
    return answers > 0 ? Math.min(1, seen / answers) : 0;
  });
