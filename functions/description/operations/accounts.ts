import * as schemas from "../schemas/accounts.ts";
import { changed, done, found, listOf } from "../schemas/common.ts";
import * as z from "zod";
import { json, type Operations } from "./operation.ts";

const overlap = { overlapSeconds: 86_400 };

/** Describes platforms. */
export const PLATFORMS = {
  "POST /api/v1/platforms": {
    id: "createPlatform",
    summary: "Create a platform",
    description: "Its token is shown only this once.",
    answers: { 201: json(changed(schemas.newPlatform)) },
    errors: ["nameTaken"],
    example: { name: "Harbour Commerce" },
  },
  "GET /api/v1/platforms": {
    id: "listPlatforms",
    summary: "List all platforms",
    answers: { 200: json(listOf(schemas.platform)) },
  },
  "PUT /api/v1/platforms/:id": {
    id: "updatePlatform",
    summary: "Change a platform",
    answers: { 200: json(changed(schemas.platform)) },
    errors: ["nameTaken"],
    example: { elevatedLimits: true },
  },
  "POST /api/v1/platforms/:id/token": {
    id: "rotatePlatformToken",
    summary: "Give a platform a new token",
    description: "All of its older tokens then end, at once or after an overlap. The new one is shown only this once.",
    answers: { 201: json(changed(schemas.platformToken)) },
    example: overlap,
  },
} as const satisfies Operations;

/** Describes publishers. */
export const PUBLISHERS = {
  "POST /api/v1/publishers": {
    id: "createPublisher",
    summary: "Create a publisher",
    description: "It comes with its first public key and its first private token.",
    answers: { 201: json(changed(schemas.newPublisher)) },
    errors: ["nameTaken", "conflict"],
    example: { name: "Pine and Pebble", contactName: "Robin Reed", contactEmail: "robin@pine.example" },
  },
  "GET /api/v1/publishers": {
    id: "listPublishers",
    summary: "List the platform's publishers",
    answers: { 200: json(listOf(schemas.publisherSummary)) },
  },
  "GET /api/v1/publishers/me": {
    id: "getOwnPublisher",
    summary: "Get the publisher that the token belongs to",
    answers: { 200: { ...json(found(schemas.publisherSummary)), headers: ["ETag"] } },
    errors: ["missing"],
  },
  "GET /api/v1/publishers/:id": {
    id: "getPublisher",
    summary: "Get a publisher with its contacts",
    answers: { 200: json(found(schemas.publisher)) },
  },
  "PUT /api/v1/publishers/:id": {
    id: "updatePublisher",
    summary: "Change a publisher's name and contacts",
    description: "Null removes the phone.",
    answers: { 200: json(changed(schemas.changedPublisher)) },
    errors: ["nameTaken", "conflict"],
    example: { contactName: "Robin Reed" },
  },
  "PATCH /api/v1/publishers/:id/status": {
    id: "updatePublisherStatus",
    summary: "Switch a publisher on or off",
    description: "It leaves a switch record.",
    answers: { 200: json(changed(schemas.publisherSwitches)) },
    example: { status: "inactive", reason: "The shop was closed" },
  },
  "PATCH /api/v1/publishers/:id/ads": {
    id: "updatePublisherAds",
    summary: "Switch a publisher's ads on or off",
    description: "It leaves a switch record.",
    answers: { 200: json(changed(schemas.publisherSwitches)) },
    example: { adsEnabled: false, reason: "The shop is being rebuilt" },
  },
  "PATCH /api/v1/publishers/:id/limits": {
    id: "updatePublisherLimits",
    summary: "Raise or lower a publisher's rate limit",
    answers: { 200: json(changed(schemas.publisherLimits)) },
    example: { elevatedLimits: true },
  },
  "GET /api/v1/publishers/:id/order": {
    id: "getPublisherOrder",
    summary: "Get what a publisher's offers are ordered by",
    answers: { 200: json(found(schemas.publisherOrder)) },
  },
  "PATCH /api/v1/publishers/:id/order": {
    id: "updatePublisherOrder",
    summary: "Set what a publisher's offers are ordered by",
    description: "At least one member is required.",
    answers: { 200: json(changed(schemas.publisherOrder)) },
    example: { rankBy: "REVENUE" },
  },
  "GET /api/v1/publishers/:id/events": {
    id: "listPublisherEvents",
    summary: "List the records of a publisher's switches",
    answers: { 200: json(listOf(schemas.switchRecord)) },
  },
  "DELETE /api/v1/publishers/:id": {
    id: "deletePublisher",
    summary: "Delete a publisher for good",
    description: "Its sites, placements, tokens, keys, records and links to customers go with it.",
    answers: { 200: json(done()) },
    errors: ["activePlacements"],
  },
  "DELETE /api/v1/publishers/:id/sessions": {
    id: "forgetCustomer",
    summary: "Forget a customer",
    description:
      "Name the customer by either `email` or `sessionId`. For 60 days, nothing that comes in is linked to them.",
    answers: { 200: json(changed(schemas.erased)) },
    errors: ["missing", "readOnly"],
    example: { email: "customer@example.com" },
  },
} as const satisfies Operations;

/** Describes tokens and keys. */
export const KEYS = {
  "GET /api/v1/publishers/:id/api-tokens": {
    id: "listOwnTokens",
    summary: "List a publisher's valid private tokens with their bearers",
    description: "Without `skip` and `take`, all of them are returned. There is no `pagination`.",
    answers: { 200: json(found(z.array(schemas.listedToken))) },
  },
  "GET /api/v1/api-tokens": {
    id: "listTokens",
    summary: "List a publisher's valid private tokens without their bearers",
    answers: { 200: json(listOf(schemas.token)) },
    errors: ["missing", "readOnly"],
  },
  "POST /api/v1/publishers/:id/api-tokens": {
    id: "issueToken",
    summary: "Issue a private token",
    description: "A publisher has at most 50 valid ones. None may do more than the token that issues it.",
    answers: { 201: json(changed(schemas.newToken)) },
    errors: ["conflict"],
    example: { name: "Reports", access: "READ" },
  },
  "GET /api/v1/publishers/:id/api-tokens/:tokenId": {
    id: "getToken",
    summary: "Get a private token without its bearer",
    answers: { 200: json(found(schemas.token)) },
  },
  "PUT /api/v1/publishers/:id/api-tokens/:tokenId": {
    id: "updateToken",
    summary: "Rename a private token",
    answers: { 200: json(changed(schemas.token)) },
    example: { name: "Shop system" },
  },
  "PATCH /api/v1/publishers/:id/api-tokens/:tokenId/access": {
    id: "updateTokenAccess",
    summary: "Set what money a token's reports show",
    answers: { 200: json(changed(schemas.token)) },
    example: { grossAccess: true },
  },
  "POST /api/v1/publishers/:id/api-tokens/:tokenId/rotate": {
    id: "rotateToken",
    summary: "Replace a private token with one that may do the same",
    answers: { 201: { ...json(changed(schemas.newToken)), headers: ["ETag"] } },
    errors: ["conflict"],
    example: overlap,
  },
  "DELETE /api/v1/publishers/:id/api-tokens/:tokenId": {
    id: "revokeToken",
    summary: "End a private token at once",
    description: "The last one that may write and never expires cannot be ended.",
    answers: { 200: json(done()) },
    errors: ["conflict"],
  },
  "GET /api/v1/publishers/:id/public-keys": {
    id: "listPublicKeys",
    summary: "List a publisher's valid public keys",
    description: "All of them are returned, without `pagination`.",
    answers: { 200: json(found(z.array(schemas.publicKey))) },
  },
  "POST /api/v1/publishers/:id/public-keys": {
    id: "issuePublicKey",
    summary: "Issue a public key",
    description: "A publisher has at most 20 valid ones.",
    answers: { 201: json(changed(schemas.publicKey)) },
    errors: ["conflict"],
  },
  "POST /api/v1/publishers/:id/public-keys/:key/rotate": {
    id: "rotatePublicKey",
    summary: "Replace a public key with a new one",
    answers: { 201: json(changed(schemas.publicKey)) },
    errors: ["conflict"],
    example: overlap,
  },
  "DELETE /api/v1/publishers/:id/public-keys/:key": {
    id: "revokePublicKey",
    summary: "End a public key at once",
    answers: { 200: json(done()) },
  },
} as const satisfies Operations;

/** Describes the audit. */
export const AUDIT = {
  "GET /api/v1/audit": {
    id: "listAudit",
    summary: "List who changed what",
    answers: { 200: json(listOf(schemas.auditRecord)) },
  },
} as const satisfies Operations;
