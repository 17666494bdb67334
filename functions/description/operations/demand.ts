import * as z from "zod";
import { demo } from "../../../db/demo/network.ts";
import { MOST_CREATIVES } from "../../../db/schema/creatives.ts";
import { creativeChange, READ_ONLY as OF_CREATIVES } from "../../routes/demand/creative-body.ts";
import { offerChange, READ_ONLY } from "../../routes/demand/offer-body.ts";
import { parameters } from "../../routes/demand/explain.ts";
import { text } from "../../http/input/fields.ts";
import { changed, done, found, listOf, readBack } from "../schemas/common.ts";
import * as schemas from "../schemas/demand.ts";
import { json, type Operations } from "./operation.ts";

/** Describes advertisers. */
export const ADVERTISERS = {
  "POST /api/v1/advertisers": {
    id: "createAdvertiser",
    summary: "Create an advertiser",
    answers: { 201: json(changed(schemas.newAdvertiser)) },
    errors: ["nameTaken", "missing", "conflict"],
    example: { name: "Fernhill Coffee" },
  },
  "GET /api/v1/advertisers": {
    id: "listAdvertisers",
    summary: "List advertisers",
    answers: { 200: json(listOf(schemas.advertiser)) },
  },
  "GET /api/v1/advertisers/:id": {
    id: "getAdvertiser",
    summary: "Get an advertiser with its conversion secret",
    answers: { 200: json(found(schemas.knownAdvertiser)) },
  },
  "PUT /api/v1/advertisers/:id": {
    id: "updateAdvertiser",
    summary: "Change an advertiser",
    description: "Only the administrator may change `reach`.",
    answers: { 200: json(changed(schemas.advertiser)) },
    errors: ["nameTaken"],
    example: { status: "active" },
  },
  "PATCH /api/v1/advertisers/:id/status": {
    id: "updateAdvertiserStatus",
    summary: "Start, pause or archive an advertiser and with it all its offers",
    answers: { 200: json(changed(schemas.advertiser)) },
    example: { status: "paused" },
  },
  "POST /api/v1/advertisers/:id/conversion-secret": {
    id: "rotateConversionSecret",
    summary: "Give an advertiser a new conversion secret and pixel key",
    description: "The old ones end at once.",
    answers: { 201: { ...json(changed(schemas.conversionSecret)), headers: ["ETag"] } },
  },
  "DELETE /api/v1/advertisers/:id": {
    id: "deleteAdvertiser",
    summary: "Delete an advertiser, or archive one that ever had an offer",
    description: "The message says which. What is archived is returned with its `ETag`.",
    answers: { 200: { ...json(done()), headers: ["ETag"] } },
  },
} as const satisfies Operations;

const newOffer = {
  advertiserId: demo.advertisers.brindlecup,
  name: "Autumn roast",
  title: "A bag of autumn roast, on us",
  header: "Thank you for your order",
  description: "Try our autumn roast. You pay the postage only.",
  ctaText: "Send me a bag",
  declineButtonText: "No, thank you",
  destinationUrl: "https://coffee.example/autumn?click={click_id}",
  pricing: "CPC",
  bidMicros: 350_000,
  targeting: { countries: ["US", "CA"] },
};

const newCreative = {
  name: "Second title",
  title: "Coffee that tastes of autumn",
  header: "Thank you for your order",
  description: "A bag of our autumn roast. You pay the postage only.",
  ctaText: "Yes, please",
  declineButtonText: "No, thank you",
  destinationUrl: "https://coffee.example/autumn?click={click_id}",
  weight: 50,
};

/** Describes the members of an import's row: those of an offer with its creatives, as in an export. */
const importRow = () =>
  offerChange().extend({
    ...readBack(READ_ONLY),
    id: text().nullish(),
    creatives: z
      .array(creativeChange().extend({ ...readBack(OF_CREATIVES), id: text().nullish() }))
      .max(MOST_CREATIVES)
      .optional(),
  });

/** Describes offers. */
export const OFFERS = {
  "POST /api/v1/offers": {
    id: "createOffer",
    summary: "Create an offer",
    answers: { 201: json(changed(schemas.offer)) },
    errors: ["missing"],
    example: newOffer,
  },
  "GET /api/v1/offers": {
    id: "listOffers",
    summary: "List offers",
    answers: { 200: json(listOf(schemas.offer)) },
  },
  "GET /api/v1/offers/:id": {
    id: "getOffer",
    summary: "Get an offer",
    answers: { 200: json(found(schemas.offer)) },
  },
  "GET /api/v1/offers/:id/pacing": {
    id: "getOfferPacing",
    summary: "Get how an offer uses its caps, beside the plan of pacing EVEN",
    answers: { 200: json(found(schemas.pacing)) },
  },
  "PUT /api/v1/offers/:id": {
    id: "updateOffer",
    summary: "Change an offer",
    description: "Within `targeting` only the members that are sent change. Null clears what may be null.",
    answers: { 200: json(changed(schemas.offer)) },
    example: { bidMicros: 400_000 },
  },
  "PATCH /api/v1/offers/:id/status": {
    id: "updateOfferStatus",
    summary: "Start, pause or archive an offer",
    answers: { 200: json(changed(schemas.offer)) },
    example: { status: "paused" },
  },
  "DELETE /api/v1/offers/:id": {
    id: "deleteOffer",
    summary: "Delete an offer, or archive one that was seen",
    description:
      "One that has a cap and was ever active is archived, too. The message says which. What is archived comes with its " +
      "`ETag`.",
    answers: { 200: { ...json(done()), headers: ["ETag"] } },
  },
  "POST /api/v1/offers/explain": {
    id: "explainOffers",
    summary: "Explain which offers a request would get, and why",
    description:
      "The body has the parameters of `getOffers`, of which `at.email` or `at.orderid` is required. Nothing is counted.",
    answers: { 200: json(found(schemas.explanation)) },
    errors: ["invalidParameters", "unknownPlacement"],
    refusalHeaders: { 500: ["Retry-After"] },
    body: () => parameters().required({ placementId: true, sessionId: true }),
    example: { placementId: demo.placements.live, sessionId: "s-1", "at.orderid": "1001", "at.country": "US" },
  },
  "POST /api/v1/offers/forecast": {
    id: "forecastOffer",
    summary: "Estimate how often an offer would have been shown last week",
    description: "Only `advertiserId`, `pricing` and `bidMicros` are required. Nothing is counted or kept.",
    answers: { 200: json(found(schemas.forecast)) },
    errors: ["missing"],
    example: { advertiserId: demo.advertisers.brindlecup, pricing: "CPC", bidMicros: 350_000 },
  },
  "POST /api/v1/offers/import": {
    id: "importOffers",
    summary: "Create and change up to 1,000 offers at once",
    description: "A row with an `id` changes that offer; one without creates a new offer. A body has at most 4 MB.",
    answers: { 200: json(changed(schemas.imported)) },
    errors: ["invalid", "missing", "conflict", "tooLarge", "unsupportedType"],
    body: () => z.array(importRow()),
    types: ["application/json", "application/x-ndjson", "text/csv"],
    example: [newOffer],
  },
  "GET /api/v1/offers/export": {
    id: "exportOffers",
    summary: "Export offers with their creatives",
    description: "`importOffers` takes what this returns.",
    answers: {
      200: {
        text: "A line of JSON for each offer; CSV for `Accept: text/csv`",
        content: { "application/x-ndjson": schemas.exportedOffer, "text/csv": z.string() },
        headers: ["Content-Disposition"],
      },
    },
  },
  "POST /api/v1/offers/:id/creatives": {
    id: "createCreative",
    summary: "Add a creative to an offer",
    description: "An offer shows at most four at once, its own texts included, and has at most a hundred ever.",
    answers: { 201: json(changed(schemas.creative)) },
    errors: ["conflict"],
    example: newCreative,
  },
  "GET /api/v1/offers/:id/creatives": {
    id: "listCreatives",
    summary: "List the additional creatives of an offer",
    description: "All of them are returned, archived ones too, without `pagination`.",
    answers: { 200: json(found(z.array(schemas.creative))) },
  },
  "GET /api/v1/offers/:id/creatives/:creativeId": {
    id: "getCreative",
    summary: "Get a creative",
    answers: { 200: json(found(schemas.creative)) },
  },
  "PUT /api/v1/offers/:id/creatives/:creativeId": {
    id: "updateCreative",
    summary: "Change a creative",
    answers: { 200: json(changed(schemas.creative)) },
    errors: ["conflict"],
    example: { weight: 20 },
  },
  "PATCH /api/v1/offers/:id/creatives/:creativeId/status": {
    id: "updateCreativeStatus",
    summary: "Start, pause or archive a creative",
    answers: { 200: json(changed(schemas.creative)) },
    errors: ["conflict"],
    example: { status: "paused" },
  },
  "DELETE /api/v1/offers/:id/creatives/:creativeId": {
    id: "deleteCreative",
    summary: "Archive a creative",
    description: "What was counted for it stays.",
    answers: { 200: { ...json(done()), headers: ["ETag"] } },
  },
} as const satisfies Operations;
