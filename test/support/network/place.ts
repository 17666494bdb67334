import type { Network, NetworkOffer } from "./random-network.ts";

/** Describes where an answer is shown. Site, publisher, platform and category are numbers; a null fact is not known. */
export type Place = {
  site: number;
  publisher: number;
  platform: number;
  country: string;
  category: number | null;
  age: string | null;
};

/** Describes what a request says of its customer and order. */
export type Facts = {
  language?: string | undefined;
  currency?: string | undefined;
  amount?: number | undefined;
  paymentType?: string | undefined;
};

const admits = <T>(targeted: readonly T[], value: T | null | undefined): boolean =>
  targeted.length === 0 || (value !== null && value !== undefined && targeted.includes(value));

/** Tells whether an offer may ever serve at a place, apart from dates and caps: the rules, word for word. */
export const servesAt = ({ advertisers }: Network, offer: NetworkOffer, place: Place): boolean => {
  const advertiser = advertisers[offer.advertiser];
  return (
    advertiser?.status === "active" &&
    (advertiser.reach === "NETWORK" || advertiser.platform === place.platform) &&
    offer.status === "active" &&
    offer.capped !== "for good" &&
    admits(offer.countries, place.country) &&
    admits(offer.categories, place.category) &&
    admits(offer.ageDemographics, place.age) &&
    admits(offer.includeSites, place.site) &&
    admits(offer.includePublishers, place.publisher) &&
    !offer.excludeSites.includes(place.site) &&
    !offer.excludePublishers.includes(place.publisher)
  );
};

/** Tells whether an offer serves at a moment, in milliseconds from the network's making. */
export const servesWhen = (offer: NetworkOffer, moment: number, midnight: number): boolean =>
  (offer.startsIn === null || offer.startsIn <= moment) &&
  (offer.endsIn === null || moment < offer.endsIn) &&
  (offer.capped !== "today" || moment >= midnight);

/** Tells whether an offer answers a request, apart from its amount. */
export const answersBut = (offer: NetworkOffer, facts: Facts): boolean =>
  admits(offer.languages, facts.language) &&
  admits(offer.currencies, facts.currency) &&
  admits(offer.paymentTypes, facts.paymentType);

/** Tells whether an offer answers a request. */
export const answers = (offer: NetworkOffer, facts: Facts): boolean => {
  const { amountMin, amountMax } = offer;
  const isLimited = amountMin !== null || amountMax !== null;
  const { amount } = facts;
  const isWithin = amount !== undefined && amount >= (amountMin ?? 0) && amount <= (amountMax ?? Infinity);
  return answersBut(offer, facts) && (!isLimited || isWithin);
};
