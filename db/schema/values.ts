// Every closed set of values is defined here, once: database checks, request validation and types all take it from
// here.

export const PUBLISHER_STATUSES = ["active", "inactive"] as const;
export const SITE_STATUSES = ["pending", "active", "inactive"] as const;
export const PLACEMENT_STATUSES = ["active", "inactive"] as const;
export const OFFER_STATUSES = ["active", "paused", "archived"] as const;
/** Names where an advertiser's offers serve: at its own platform's publishers, or at all of the network's. */
export const REACHES = ["PLATFORM", "NETWORK"] as const;
export const PAGE_TYPES = ["THANK_YOU_PAGE", "ORDER_PAGE"] as const;
export const AGE_DEMOGRAPHICS = [
  "AGE_18_24",
  "AGE_25_34",
  "AGE_35_44",
  "AGE_45_54",
  "AGE_55_64",
  "AGE_65_PLUS",
] as const;
export const GENDER_DEMOGRAPHICS = ["MALE", "FEMALE", "MIXED"] as const;
export const PAYMENT_TYPES = [
  "creditCard",
  "debitCard",
  "paypal",
  "applePay",
  "googlePay",
  "bankTransfer",
  "crypto",
  "other",
] as const;
export const CURRENCIES = (
  "AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP GHS HKD HRK HUF IDR ILS INR JPY KES KRW MXN MYR NGN " +
  "NOK NZD PEN PHP PLN RON RUB SAR SEK SGD THB TRY TWD USD UYU VND ZAR"
).split(" ");
/** Names the units that advertisers pay for: a thousand impressions, a click, a conversion. */
export const PRICINGS = ["CPM", "CPC", "CPA"] as const;
/** Names how an offer uses up its caps: as fast as it can, or evenly, along the curve of its traffic. */
export const PACINGS = ["ASAP", "EVEN"] as const;
/** Says which tier an offer without a `priority` is in; lower numbers come first. */
export const USUAL_PRIORITY = 5;
export const EVENT_KINDS = ["impression", "viewable", "click", "close", "conversion"] as const;
/** Names how a customer closes an offer: declines it and goes on to the next, or closes all. */
export const CLOSINGS = ["decline", "close"] as const;
/**
 * Tells what became of a hit: it counted, or why not. `repeated`: within a day of a paid one by the same customer for
 * the same offer. `over_cap`: past one of the offer's caps. `reversed`: a conversion that was taken back. `duplicate`:
 * a hit of its kind on the same offer of the decision, or the same transaction, was settled before.
 */
export const EVENT_OUTCOMES = [
  "counted",
  "repeated",
  "over_cap",
  "reversed",
  "duplicate",
  "bot",
  "expired",
  "test",
] as const;
/** Lists the outcomes that settle a kind of hit on an offer of a decision: later hits are repeats of it. */
export const SETTLING_OUTCOMES = ["counted", "repeated", "over_cap"] as const satisfies EventOutcome[];
/** Lists the outcomes that settle an advertiser's transaction. */
export const SETTLING_CONVERSIONS = ["counted", "over_cap", "reversed"] as const satisfies EventOutcome[];
/** Lists the reasons why a hit must not count, whatever came before it. */
export const UNCOUNTED_REASONS = ["bot", "expired", "test"] as const satisfies EventOutcome[];
/**
 * Names the states of an advertiser's conversion. `pending`: its click has not come yet. `expired`: its click will not
 * come any more. The others are outcomes.
 */
export const CONVERSION_STATES = ["pending", ...SETTLING_CONVERSIONS, "expired"] as const;
/** Names what a private token allows: all that its publisher may do, or only reading. */
export const TOKEN_ACCESSES = ["READ", "WRITE"] as const;
/** Names the kinds of resources whose changes are audited. */
export const AUDITED_KINDS = [
  "platform",
  "platformToken",
  "publisher",
  "token",
  "publicKey",
  "site",
  "placement",
  "advertiser",
  "offer",
  "creative",
] as const;
/** Names what is done to a resource. `erase`: a customer of a publisher is forgotten. */
export const AUDIT_ACTIONS = ["create", "update", "delete", "erase"] as const;
export const PARTNER_ZONE_STATUSES = ["pending", "done", "failed", "skipped"] as const;

/** Names how an offer's sessions are split between its creatives: by their weights, or by what was learned of them. */
export const CREATIVE_SPLITS = ["WEIGHTS", "LEARNED"] as const;

/** Lists what the offers of a publisher may be ordered by: what they earn, or its own part of that. */
export const RANK_BYS = ["GROSS", "REVENUE"] as const;

/** Says what share of its sessions a publisher may hold out from what was learned, in percent. */
export const HOLDOUT_PERCENT = { usual: 5, most: 50 } as const;

export type PublisherStatus = (typeof PUBLISHER_STATUSES)[number];
export type TokenAccess = (typeof TOKEN_ACCESSES)[number];
export type SiteStatus = (typeof SITE_STATUSES)[number];
export type PlacementStatus = (typeof PLACEMENT_STATUSES)[number];
export type OfferStatus = (typeof OFFER_STATUSES)[number];
export type Reach = (typeof REACHES)[number];
export type PaymentType = (typeof PAYMENT_TYPES)[number];
export type RankBy = (typeof RANK_BYS)[number];
export type Pricing = (typeof PRICINGS)[number];
export type Pacing = (typeof PACINGS)[number];
export type UncountedReason = (typeof UNCOUNTED_REASONS)[number];
export type EventKind = (typeof EVENT_KINDS)[number];
export type Closing = (typeof CLOSINGS)[number];
export type ConversionState = (typeof CONVERSION_STATES)[number];
export type EventOutcome = (typeof EVENT_OUTCOMES)[number];
