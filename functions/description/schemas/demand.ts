import * as z from "zod";
import {
  AGE_DEMOGRAPHICS,
  CREATIVE_SPLITS,
  GENDER_DEMOGRAPHICS,
  OFFER_STATUSES,
  PACINGS,
  PAYMENT_TYPES,
  PRICINGS,
  REACHES,
} from "../../../db/schema/values.ts";
import { count, day, idOf, loosely, named, object, time } from "./common.ts";

const advertiserMembers = {
  id: idOf("advertiser"),
  name: z.string(),
  platformId: idOf("platform").nullable(),
  status: z.enum(OFFER_STATUSES),
  reach: z.enum(REACHES),
  createdAt: time(),
  updatedAt: time(),
};
export const advertiser = named("Advertiser", object(advertiserMembers));
export const newAdvertiser = named(
  "NewAdvertiser",
  object({ ...advertiserMembers, conversionSecret: z.string(), pixelKey: z.string() }),
);
export const knownAdvertiser = named(
  "AdvertiserWithSecret",
  object({ ...advertiserMembers, conversionSecret: z.string().nullable(), pixelKey: z.string() }),
);
export const conversionSecret = named(
  "ConversionSecret",
  object({ id: idOf("advertiser"), conversionSecret: z.string(), pixelKey: z.string() }),
);

// The columns of an icon are all null or none is, which their types do not say.
const pixels = () => loosely(z.int());
const icon = named("Icon", object({ url: z.string(), width: pixels(), height: pixels() }));
const shown = {
  name: z.string(),
  title: z.string(),
  header: z.string(),
  description: z.string(),
  ctaText: z.string(),
  declineButtonText: z.string(),
  termsUrl: z.string().nullable(),
  icon: icon.nullable(),
  destinationUrl: z.string(),
};

export const creative = named(
  "Creative",
  object({
    id: idOf("creative"),
    offerId: idOf("offer"),
    number: z.int().min(2),
    ...shown,
    weight: z.int().min(0).max(100),
    status: z.enum(OFFER_STATUSES),
    createdAt: time(),
    updatedAt: time(),
  }),
);

const texts = () => z.array(z.string());
const oneOfEach = (values: readonly [string, ...string[]]) => loosely(z.array(z.enum(values)));

const targeting = named(
  "Targeting",
  object({
    countries: texts(),
    languages: texts(),
    currencies: texts(),
    amountMin: z.number().min(0).nullable(),
    amountMax: z.number().min(0).nullable(),
    paymentTypes: oneOfEach(PAYMENT_TYPES),
    categories: texts(),
    ageDemographics: oneOfEach(AGE_DEMOGRAPHICS),
    genderDemographics: oneOfEach(GENDER_DEMOGRAPHICS),
    includePublishers: texts(),
    excludePublishers: texts(),
    includeSites: texts(),
    excludeSites: texts(),
  }),
);
const usage = named(
  "OfferUsage",
  object({ today: count(), lifetime: count(), reached: z.enum(["DAILY", "LIFETIME"]).nullable() }),
);
const offerMembers = {
  id: idOf("offer"),
  advertiserId: idOf("advertiser"),
  ...shown,
  status: z.enum(OFFER_STATUSES),
  startsAt: time().nullable(),
  endsAt: time().nullable(),
  priority: z.int().min(1).max(100),
  pricing: z.enum(PRICINGS),
  bidMicros: z.int().min(0),
  publisherShareBps: z.int().min(0).max(10_000),
  dailyCap: z.int().min(1).nullable(),
  lifetimeCap: z.int().min(1).nullable(),
  pacing: z.enum(PACINGS),
  usage: usage.nullable(),
  creativeSplit: z.enum(CREATIVE_SPLITS),
  creativeWeight: z.int().min(0).max(100),
  targeting,
  createdAt: time(),
  updatedAt: time(),
};
const owner = named(
  "OfferAdvertiser",
  object({ id: idOf("advertiser"), name: z.string(), status: z.enum(OFFER_STATUSES) }),
);
export const offer = named("Offer", object({ ...offerMembers, advertiser: owner.optional() }));
const { usage: _, ...exported } = offerMembers;
export const exportedOffer = named("ExportedOffer", object({ ...exported, creatives: z.array(creative) }));

export const pacing = named(
  "OfferPacing",
  object({
    pacing: z.enum(PACINGS),
    basis: z.enum(["TRAFFIC", "CLOCK"]).nullable(),
    share: z.number().nullable(),
    caps: z.array(
      named(
        "PlannedCap",
        object({
          cap: z.enum(["DAILY", "LIFETIME"]),
          limit: z.int().min(1),
          used: count(),
          planned: z.number().nullable(),
          from: time(),
          until: time().nullable(),
          points: z.array(named("PlannedPoint", object({ at: time(), planned: z.number() }))),
          days: z.array(named("UsedDay", object({ day: z.iso.date(), used: count() }))).optional(),
        }),
      ),
    ),
  }),
);

const rowError = named(
  "ImportError",
  object({
    code: z.string(),
    message: z.string(),
    details: loosely(z.union([z.array(z.string()), z.record(z.string(), z.unknown())])).optional(),
  }),
);
export const imported = named(
  "Imported",
  object({
    created: count(),
    updated: count(),
    refused: count(),
    rows: z.array(
      named(
        "ImportedRow",
        object({
          row: z.int().min(1),
          status: loosely(z.enum(["created", "updated", "refused", "skipped"])),
          id: idOf("offer").nullable(),
          error: rowError.optional(),
        }),
      ),
    ),
  }),
);

const range = named("Range", object({ expected: z.number(), low: z.number(), high: z.number() }));
export const forecast = named(
  "Forecast",
  object({
    since: z.iso.date(),
    requests: count(),
    sampled: count(),
    share: range.nullable(),
    admitted: range.nullable(),
    placements: count(),
    shown: range.nullable(),
    cost: range.nullable(),
    summary: z.string(),
  }),
);

const expectation = named(
  "Expectation",
  object({
    rate: range.nullable(),
    exposure: z.number(),
    shiftedOn: day().nullable(),
    shiftRatio: z.number().nullable(),
    valueMicros: z.number().nullable(),
    score: z.number().nullable(),
  }),
);
const creativeVerdict = named(
  "ExplainedCreative",
  object({
    creativeId: idOf("creative").nullable(),
    number: z.int().min(1),
    name: z.string(),
    status: z.enum(OFFER_STATUSES),
    weight: z.int(),
    share: z.number().nullable(),
    shown: z.boolean(),
    rate: range,
    exposure: z.number(),
  }),
);
export const explanation = named(
  "Explanation",
  object({
    isTestMode: z.boolean(),
    noFillReason: z.string().nullable(),
    country: z.string().nullable(),
    language: z.string().nullable(),
    offers: z.array(
      named(
        "ExplainedOffer",
        object({
          offerId: z.string(),
          name: z.string(),
          served: z.boolean(),
          rank: z.int().min(1).nullable(),
          reason: z.string().nullable(),
          pace: z.number().nullable(),
          expectation: expectation.nullable(),
          creatives: z.array(creativeVerdict).nullable(),
        }),
      ),
    ),
  }),
);
