import * as z from "zod";
import { CONVERSION_STATES, EVENT_KINDS } from "../../../db/schema/values.ts";
import { count, day, idOf, loosely, named, object, time } from "./common.ts";

const money = () => z.number();
const text = () => z.string().nullable().optional();

export const reportRow = loosely(
  named(
    "ReportRow",
    object({
      date: day().optional(),
      siteId: text(),
      siteName: text(),
      placementId: text(),
      placementName: text(),
      country: text(),
      publisherId: text(),
      publisherName: text(),
      offerId: text(),
      offerName: text(),
      advertiserId: text(),
      advertiserName: text(),
      arm: text(),
      creative: z.int().nullable().optional(),
      creativeId: text(),
      creativeName: text(),
      requests: count().optional(),
      fills: count().optional(),
      impressions: count(),
      viewable: count(),
      clicks: count(),
      closes: count(),
      declines: count(),
      conversions: z.int(),
      transactions: z.int(),
      ctr: z.number(),
      goOn: z.number().nullable(),
      conversionRate: z.number().nullable().optional(),
      fillRate: z.number().nullable().optional(),
      revenue: money().optional(),
      revenuePerThousand: money().nullable().optional(),
      gross: money().optional(),
      profit: money().optional(),
      grossPerThousand: money().nullable().optional(),
    }),
  ),
);

export const hitsRow = loosely(
  named(
    "HitsRow",
    object({
      offerId: z.string(),
      placementId: z.string(),
      country: text(),
      kind: z.enum(EVENT_KINDS),
      hits: count(),
      unique: count(),
      repeated: count(),
      overCap: count(),
      reversed: count(),
      duplicate: count(),
      bot: count(),
      expired: count(),
      test: count(),
      gross: money(),
    }),
  ),
);

export const reject = named(
  "Reject",
  object({
    id: z.string(),
    publisherId: z.string().nullable(),
    platformId: z.string().nullable(),
    reason: z.string(),
    body: z.string(),
    createdAt: time(),
  }),
);
const sums = named(
  "OverviewSums",
  object({
    requests: count(),
    fills: count(),
    impressions: count(),
    viewable: count(),
    clicks: count(),
    conversions: z.int(),
    revenue: money().optional(),
    gross: money().optional(),
  }),
);
const ranked = named(
  "OverviewRanked",
  object({
    id: z.string(),
    name: z.string().nullable(),
    requests: count().optional(),
    impressions: count(),
    clicks: count(),
    revenue: money().optional(),
  }),
);
const ranks = named("OverviewRanks", object({ best: z.array(ranked), worst: z.array(ranked) }));
const attention = named(
  "OverviewAttention",
  object({
    total: count(),
    offers: z.array(
      named(
        "OverviewNoticed",
        object({ id: z.string(), name: z.string(), share: z.number().nullable(), endsAt: time().nullable() }),
      ),
    ),
  }),
);
export const overview = named(
  "Overview",
  object({
    today: sums,
    lastWeek: sums,
    emptyAnswers: z.array(named("EmptyAnswers", object({ reason: z.string(), requests: count() }))),
    placements: ranks,
    offers: ranks,
    nearCap: attention,
    ended: attention,
    neverShown: attention,
    clickedLess: attention,
  }),
);
export const replayed = named("Replayed", object({ ids: z.array(z.string()) }));
export const deadLetter = named(
  "DeadLetter",
  object({ id: z.string(), placementId: z.string().nullable(), body: z.string() }),
);

const arm = named(
  "ExperimentArm",
  object({
    arm: z.string(),
    requests: count(),
    fills: count(),
    fillRate: z.number().nullable(),
    impressions: count(),
    clicks: count(),
    ctr: z.number().nullable(),
    conversions: z.int(),
    conversionRate: z.number().nullable(),
    revenue: money().optional(),
    revenuePerThousand: money().nullable().optional(),
    gross: money().optional(),
    grossPerThousand: money().nullable().optional(),
  }),
);
const difference = named("Difference", object({ difference: money(), low: money(), high: money() }));
const gain = named(
  "Gain",
  object({ perThousand: difference.nullable(), inAll: difference.nullable(), summary: z.string() }),
);
export const experiment = named(
  "Experiment",
  object({
    dateStart: day(),
    dateEnd: day(),
    arms: z.array(arm),
    compared: named(
      "Compared",
      object({ since: day().nullable(), learnedRequests: count(), holdoutRequests: count() }),
    ),
    revenue: gain.optional(),
    gross: gain.optional(),
  }),
);

const conversionMembers = {
  transactionId: z.string(),
  clickId: z.string(),
  offerId: idOf("offer"),
  state: z.enum(CONVERSION_STATES),
  reportedAt: time(),
  amount: z.number().nullable(),
  currency: z.string().nullable(),
  gross: z.number().nullable(),
  reversedAt: time().nullable(),
  reason: z.string().nullable(),
};
export const conversion = named("Conversion", object(conversionMembers));
export const reversedConversion = named(
  "ReversedConversion",
  object({ ...conversionMembers, test: z.literal(true).optional() }),
);
export const conversionSum = named(
  "ConversionSum",
  object({
    state: z.enum(CONVERSION_STATES),
    currency: z.string().nullable(),
    conversions: count(),
    amount: z.number().nullable(),
    gross: z.number().nullable(),
  }),
);
export const reported = named(
  "ReportedConversion",
  object({ counted: z.boolean(), state: z.enum(CONVERSION_STATES), test: z.literal(true).optional() }),
);
