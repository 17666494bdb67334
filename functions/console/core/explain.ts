import type { ExplainedOffer, Explanation } from "#client";
import { words } from "./format.ts";

/** Lists the facts of a request that an address keeps, none of which is personal. The API's names begin with `at.`. */
export const FACTS = ["country", "language", "amount", "currency", "paymenttype"] as const;

/** Lists all that an address keeps of a request. */
export const KEPT = ["placementId", "count", "seen", ...FACTS] as const;

/** Lists what an address keeps: the offer that is asked about, and the request. */
export const KNOWN = ["offerId", ...KEPT] as const;

/** Holds what was kept of a request that somebody pasted. */
export type Pasted = { kept: Record<string, string>; sessionId: string | null };

const OTHER_NAMES: Record<string, string> = { "at.amount": "at.ordervalue", "at.paymenttype": "at.payment_type" };

/** Returns the API's name of something that an address keeps. */
export const apiName = (name: string): string => ((FACTS as readonly string[]).includes(name) ? `at.${name}` : name);

const queryOf = (text: string): URLSearchParams => {
  const address = text.trim();
  const start = address.indexOf("?");
  return new URLSearchParams(start < 0 ? address : address.slice(start + 1).replace(/#.*$/s, ""));
};

/** Reads a request for offers; null if the text is not one. The customer's identity and the key are left out. */
export const readRequest = (text: string): Pasted | null => {
  const query = queryOf(text);
  const get = (name: string) => query.get(name) ?? query.get(OTHER_NAMES[name] ?? name);
  if (!query.get("placementId")) return null;
  const kept = Object.fromEntries(KEPT.map((name) => [name, get(apiName(name)) ?? ""]));
  return { kept, sessionId: query.get("sessionId") };
};

const REASONS: Record<string, string> = {
  publisher_inactive: "The publisher is inactive",
  publisher_ads_disabled: "The publisher’s ads are off",
  site_not_active: "The site is not active",
  site_ads_disabled: "The site’s ads are off",
  placement_inactive: "The placement is inactive",
  test_mode: "The placement serves samples",
  offer_paused: "It is paused",
  offer_archived: "It is archived",
  advertiser_not_active: "Its advertiser is not active",
  not_started: "It has not started yet",
  ended: "It has ended",
  country: "It is for other countries",
  language: "It is for other languages",
  currency: "It is for other currencies",
  amount: "It is for other amounts",
  payment_type: "It is for other payment types",
  category: "It is for sites of other categories",
  age_demographics: "It is for sites with customers of other ages",
  gender_demographics: "It is for sites with customers of other genders",
  publisher: "It is for other publishers",
  site: "It is for other sites",
  reach: "It serves only at another platform’s publishers",
  paced: "Its pacing leaves this session out for now",
  daily_cap: "Its daily cap is reached",
  lifetime_cap: "Its lifetime cap is reached",
  changed: "It was changed, and lists are being renewed",
  outranked: "Others come before it",
  not_a_candidate: "The placement’s list was made without it",
  no_eligible_offer: "No offer fits this request",
};

/** Maps reasons to the fact that they are about, and the text for a request that does not state it. */
const LACKING: Record<string, readonly [(typeof FACTS)[number], string]> = {
  country: ["country", "It asks for a country, and this request names none"],
  language: ["language", "It asks for a language, and this request names none"],
  currency: ["currency", "It asks for a currency, and this request names none"],
  amount: ["amount", "It asks for an order amount, and this request names none"],
  payment_type: ["paymenttype", "It asks for a payment type, and this request names none"],
};

/** Holds the facts that a request states, by their names here. */
export type Facts = Record<string, string | undefined>;

/** Returns the facts that the service assumed because a request does not state them: your own country and language. */
export const assumedOf = ({ country, language }: Pick<Explanation, "country" | "language">, named: Facts): Facts => ({
  ...(country !== null && !named["country"] && { country }),
  ...(language !== null && !named["language"] && { language }),
});

/**
 * Says in words why an offer is not served, or why an answer is empty; if the request's facts are known, what it lacks.
 */
export const reasonText = (reason: string, facts?: Facts): string => {
  const [fact, text] = LACKING[reason] ?? [];
  const isLacking = facts !== undefined && fact !== undefined && !facts[fact];
  return (isLacking ? text : REASONS[reason]) ?? words(reason);
};

const stateOf = ({ rank, reason }: ExplainedOffer): string =>
  rank === null ? reasonText(reason ?? "").toLowerCase() : `rank ${rank}`;

/** Tells whether a name contains a text, in any case. */
export const isNamed = (name: string, part: string): boolean =>
  name.toLocaleLowerCase().includes(part.trim().toLocaleLowerCase());

/** Says where each offer was before that moved, or is out for another reason. */
export const movesOf = (
  before: readonly ExplainedOffer[] | null,
  now: readonly ExplainedOffer[],
): Map<string, string> => {
  if (!before) return new Map();
  const known = new Map(before.map((verdict) => [verdict.offerId, verdict]));
  return new Map(
    now.flatMap((verdict): [string, string][] => {
      const old = known.get(verdict.offerId);
      if (!old) return [[verdict.offerId, "was not listed"]];
      return stateOf(old) === stateOf(verdict) ? [] : [[verdict.offerId, `was: ${stateOf(old)}`]];
    }),
  );
};
