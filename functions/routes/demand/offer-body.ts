import * as z from "zod";
import type { Offer, OfferChange, OfferInput } from "../../../db/demand/offers.ts";
import type { TargetingColumn } from "../../../db/schema/targeting.ts";
import {
  AGE_DEMOGRAPHICS,
  CREATIVE_SPLITS,
  CURRENCIES,
  GENDER_DEMOGRAPHICS,
  OFFER_STATUSES,
  PACINGS,
  PAYMENT_TYPES,
  PRICINGS,
} from "../../../db/schema/values.ts";
import { code, lowerAscii } from "../../http/input/codes.ts";
import { integer, moment, number, oneOf, text } from "../../http/input/fields.ts";
import { remembering } from "../../core/calls/remember.ts";
import { isCountry } from "../../decision/country.ts";
import { languageCode } from "../../decision/language.ts";
import { iconColumns, shownFields, shownOf, weight } from "./creative-body.ts";

const MAX_LIST = 500;
/** Limits a bid to 100,000 USD. */
const MAX_BID_MICROS = 100_000_000_000;
/** Names the least urgent tier; 1 is served first. */
const MAX_PRIORITY = 100;

const list = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item, { error: "must be an array" })
    .max(MAX_LIST, `must have at most ${MAX_LIST} entries`)
    .transform((values) => [...new Set(values)])
    .optional();

const COUNTRIES = "must be two-letter ISO 3166-1 country codes";
const LANGUAGES = "must be language codes such as en";
const CURRENCY_CODES = "must be supported currency codes";

const country = () => code(text(2, 1, COUNTRIES), isCountry, COUNTRIES);

/** Limits how many codes are remembered. */
const REMEMBERED = 1_000;

/**
 * Tells whether a code of two or three letters is that of a language. The runtime knows where each language is spoken,
 * but has names for few of them.
 */
const isLanguage = remembering(
  REMEMBERED,
  (language) => language !== "und" && new Intl.Locale(language).maximize().region !== undefined,
);

const language = () =>
  text(3, 1, LANGUAGES)
    .overwrite(lowerAscii)
    .regex(/^[a-z]{2,3}$/, { error: LANGUAGES, abort: true })
    .refine(isLanguage, "must be codes of existing languages")
    .overwrite(languageCode);
const currency = () => code(text(3, 1, CURRENCY_CODES), (value) => CURRENCIES.includes(value), CURRENCY_CODES);

const targeting = () =>
  z.object(
    {
      countries: list(country()),
      languages: list(language()),
      currencies: list(currency()),
      amountMin: number().nullish(),
      amountMax: number().nullish(),
      paymentTypes: list(oneOf(PAYMENT_TYPES)),
      categories: list(text()),
      ageDemographics: list(oneOf(AGE_DEMOGRAPHICS)),
      genderDemographics: list(oneOf(GENDER_DEMOGRAPHICS)),
      includePublishers: list(text()),
      excludePublishers: list(text()),
      includeSites: list(text()),
      excludeSites: list(text()),
    } satisfies Record<keyof Targets, z.ZodType>,
    "must be an object",
  );

/**
 * Checks an offer as its owner sends it. `bidMicros` is micro-USD for a thousand impressions, a click or a conversion.
 */
export const offerBody = () =>
  z.object({
    ...shownFields(),
    status: oneOf(OFFER_STATUSES).optional(),
    startsAt: moment().nullish(),
    endsAt: moment().nullish(),
    priority: integer(1, MAX_PRIORITY).optional(),
    pricing: oneOf(PRICINGS),
    bidMicros: integer(0, MAX_BID_MICROS),
    publisherShareBps: integer(0, 10_000).optional(),
    dailyCap: integer(1).nullish(),
    lifetimeCap: integer(1).nullish(),
    pacing: oneOf(PACINGS).optional(),
    creativeSplit: oneOf(CREATIVE_SPLITS).optional(),
    creativeWeight: weight().optional(),
    targeting: targeting().optional(),
  });

/** Checks the advertiser of an offer, if a change names it. */
export const ownerField = () => ({ advertiserId: text().optional() });

/** Checks a change of an offer; within `targeting`, only the members that are sent change. */
export const offerChange = () => offerBody().extend(ownerField()).partial();

/** Lists the members of an offer that a change may send back as they were read. */
export const READ_ONLY = ["id", "usage", "advertiser", "createdAt", "updatedAt"];

/** Returns the columns that a body sets; an icon's three are set together, and null clears. */
const columns = <Body extends z.output<ReturnType<typeof offerChange>>>({
  icon: picture,
  targeting: targets,
  ...rest
}: Body) => ({
  ...rest,
  ...targets,
  ...iconColumns(picture),
});

export const inputOf = (body: z.output<ReturnType<typeof offerBody>>): OfferInput => columns(body);
export const changeOf = (body: z.output<ReturnType<typeof offerChange>>): OfferChange => columns(body);

/** Holds every column of targeting in the form of answers, with categories by name. */
type Targets = { [Column in Exclude<TargetingColumn, "categoryIds">]: Offer["offer"][Column] } & {
  categories: string[];
};

/** Returns an offer in the form of answers: as it is sent, with its id and times. */
export const answerOf = ({ offer, categories, usage }: Offer) => ({
  id: offer.id,
  advertiserId: offer.advertiserId,
  ...shownOf(offer),
  status: offer.status,
  startsAt: offer.startsAt,
  endsAt: offer.endsAt,
  priority: offer.priority,
  pricing: offer.pricing,
  bidMicros: offer.bidMicros,
  publisherShareBps: offer.publisherShareBps,
  dailyCap: offer.dailyCap,
  lifetimeCap: offer.lifetimeCap,
  pacing: offer.pacing,
  usage,
  creativeSplit: offer.creativeSplit,
  creativeWeight: offer.creativeWeight,
  targeting: {
    countries: offer.countries,
    languages: offer.languages,
    currencies: offer.currencies,
    amountMin: offer.amountMin,
    amountMax: offer.amountMax,
    paymentTypes: offer.paymentTypes,
    categories,
    ageDemographics: offer.ageDemographics,
    genderDemographics: offer.genderDemographics,
    includePublishers: offer.includePublishers,
    excludePublishers: offer.excludePublishers,
    includeSites: offer.includeSites,
    excludeSites: offer.excludeSites,
  } satisfies Targets,
  createdAt: offer.createdAt,
  updatedAt: offer.updatedAt,
});
