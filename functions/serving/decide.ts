import type { Candidate } from "../../db/documents.ts";
import type { PaymentType } from "../../db/schema/values.ts";
import { hash32, mix32 } from "./hash.ts";

/** What a decision depends on besides the offers. `currency` is upper-case, `language` a lower-case primary subtag. */
export type DecisionRequest = {
  count: number;
  session: string;
  now: number;
  language?: string | undefined;
  currency?: string | undefined;
  amount?: number | undefined;
  paymentType?: PaymentType | undefined;
};

/** Ids of stopped offers, with the millisecond until which each is stopped, 0 for good. */
export type Stopped = Readonly<Record<string, number>>;

/** Why an offer is not for a request. */
export type Ineligible = "stopped" | "not_started" | "ended" | "language" | "currency" | "amount" | "payment_type";

const admits = (targeting: readonly string[], value: string | undefined): boolean =>
  targeting.length === 0 || (value !== undefined && targeting.includes(value));

const amountAdmitted = (offer: Candidate, amount: number | undefined): boolean => {
  if (offer.amountMin === null && offer.amountMax === null) return true;
  return amount !== undefined && amount >= (offer.amountMin ?? 0) && amount <= (offer.amountMax ?? Infinity);
};

/** Why an offer may not answer a request, or null when it may. A fact that the request leaves out admits no offer that asks for it. */
export const ineligibility = (offer: Candidate, stopped: Stopped, request: DecisionRequest): Ineligible | null => {
  const until = Object.hasOwn(stopped, offer.id) ? stopped[offer.id] : undefined;
  if (until !== undefined && (until === 0 || request.now < until)) return "stopped";
  if (offer.startsAt !== null && request.now < offer.startsAt) return "not_started";
  if (offer.endsAt !== null && request.now >= offer.endsAt) return "ended";
  if (!admits(offer.languages, request.language)) return "language";
  if (!admits(offer.currencies, request.currency)) return "currency";
  if (!amountAdmitted(offer, request.amount)) return "amount";
  if (!admits(offer.paymentTypes, request.paymentType)) return "payment_type";
  return null;
};

/**
 * An offer's place in the weighted order of its tier: the smaller the earlier. Taking offers by the smallest
 * −ln(u)/weight draws them with chances proportional to their weights (Efraimidis and Spirakis, 2006); u comes from
 * session and offer, so a session always sees the same order. An offer without expected value keeps a small chance.
 */
const rank = (offer: Candidate, session: number): number => {
  const uniform = (mix32(session, hash32(offer.id)) + 0.5) / 2 ** 32;
  return -Math.log(uniform) / Math.max(offer.ecpmMicros, 1);
};

/**
 * Chooses the offers that answer a request: the eligible ones, lower priority numbers first, within a tier in an order
 * that is random between sessions, weighted by expected value, and the same for equal input.
 *
 * @returns at most `request.count` offers, each once
 */
export const decide = (candidates: readonly Candidate[], stopped: Stopped, request: DecisionRequest): Candidate[] => {
  const session = hash32(request.session);
  const ranked: { offer: Candidate; rank: number }[] = [];
  for (const offer of candidates) {
    if (ineligibility(offer, stopped, request) === null) ranked.push({ offer, rank: rank(offer, session) });
  }
  ranked.sort((a, b) => a.offer.priority - b.offer.priority || a.rank - b.rank || (a.offer.id < b.offer.id ? -1 : 1));
  return ranked.slice(0, request.count).map((entry) => entry.offer);
};
