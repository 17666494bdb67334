import type { Candidate, NetworkDocument } from "../../db/documents/types.ts";
import { paceStepOf } from "../../db/documents/paced.ts";
import { isWithheld } from "../../db/documents/withheld.ts";
import { REQUEST_COLUMNS, REQUEST_DIMENSIONS, type RequestDimension } from "../../db/schema/targeting.ts";
import type { PaymentType } from "../../db/schema/values.ts";
import { hash32 } from "../core/hash.ts";
import type { Arm } from "./arms.ts";
import { isThrottled, shareOf } from "./pacing/steps.ts";

/**
 * Holds what a decision depends on besides the offers. `currency` is in upper case, `language` a primary subtag in
 * lower case. `arm` names the order by which the session is served. `seen` has the ids of offers that the session has
 * accepted or declined; it is never empty.
 */
export type DecisionRequest = {
  count: number;
  session: string;
  arm: Arm;
  now: number;
  language?: string | undefined;
  currency?: string | undefined;
  amount?: number | undefined;
  paymentType?: PaymentType | undefined;
  seen?: readonly string[] | undefined;
};

/** Names the reasons why an offer is not for a request. */
export type Ineligible = "changed" | "not_started" | "ended" | "paced" | RequestDimension;

/**
 * Checks a dimension: `asks` tells whether an offer asks anything of requests in it, `admits` whether a request has it.
 */
type Check = {
  asks: (offer: Candidate) => boolean;
  admits: (offer: Candidate, request: DecisionRequest) => boolean;
};

/** Checks a list of values: an empty one asks nothing. A request that states no value has none of them. */
const oneOf = (
  wanted: (offer: Candidate) => readonly string[],
  given: (request: DecisionRequest) => string | undefined,
): Check => ({
  asks: (offer) => wanted(offer).length > 0,
  admits: (offer, request) => {
    const value = given(request);
    return value !== undefined && wanted(offer).includes(value);
  },
});

const CHECKS: Record<RequestDimension, Check> = {
  language: oneOf(
    ({ languages }) => languages,
    ({ language }) => language,
  ),
  currency: oneOf(
    ({ currencies }) => currencies,
    ({ currency }) => currency,
  ),
  amount: {
    asks: ({ amountMin, amountMax }) => amountMin !== null || amountMax !== null,
    admits: ({ amountMin, amountMax }, { amount }) =>
      amount !== undefined && amount >= (amountMin ?? 0) && amount <= (amountMax ?? Infinity),
  },
  payment_type: oneOf(
    ({ paymentTypes }) => paymentTypes,
    ({ paymentType }) => paymentType,
  ),
};

/** Tells whether an offer is not for every request: it has dates, or asks something of requests. */
export const isPicky = (offer: Candidate): boolean =>
  offer.startsAt !== null || offer.endsAt !== null || REQUEST_DIMENSIONS.some((name) => CHECKS[name].asks(offer));

/** Returns all that an offer asks of requests as a text, which is the same for offers that ask the same. */
export const demandsOf = (offer: Candidate): string =>
  JSON.stringify([offer.startsAt, offer.endsAt, ...REQUEST_COLUMNS.map((column) => offer[column])]);

/** Returns the first thing that an offer asks for and a request lacks, or null. */
export const unmet = (offer: Candidate, request: DecisionRequest): Ineligible | null => {
  if (offer.startsAt !== null && request.now < offer.startsAt) return "not_started";
  if (offer.endsAt !== null && request.now >= offer.endsAt) return "ended";
  for (const name of REQUEST_DIMENSIONS) {
    const { asks, admits } = CHECKS[name];
    if (asks(offer) && !admits(offer, request)) return name;
  }
  return null;
};

/** Returns the share of sessions that may see an offer, by its pacing. */
export const shareAt = (network: NetworkDocument | null, offer: Candidate): number =>
  network ? shareOf(paceStepOf(network, offer)) : 1;

/** Returns why an offer may not answer a request, or null when it may. */
export const ineligibility = (
  offer: Candidate,
  network: NetworkDocument | null,
  request: DecisionRequest,
): Ineligible | null => {
  if (network && isWithheld(network, offer)) return "changed";
  const isPaced = isThrottled(shareAt(network, offer), hash32(request.session), hash32(offer.id));
  return unmet(offer, request) ?? (isPaced ? "paced" : null);
};
