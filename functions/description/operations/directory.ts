import { found, listOf } from "../schemas/common.ts";
import * as schemas from "../schemas/directory.ts";
import { json, type Operations } from "./operation.ts";

/** Describes the lists of everything within a caller's reach. */
export const DIRECTORY = {
  "GET /api/v1/me": {
    id: "getMe",
    summary: "Get whose credential this is, and what it may do",
    answers: { 200: json(found(schemas.who)) },
    errors: ["missing"],
  },
  "GET /api/v1/directory/publishers": {
    id: "listPublisherDirectory",
    summary: "List and search all publishers within reach",
    answers: { 200: json(listOf(schemas.publisherEntry)) },
  },
  "GET /api/v1/directory/sites": {
    id: "listSiteDirectory",
    summary: "List and search all sites within reach",
    answers: { 200: json(listOf(schemas.siteEntry)) },
  },
  "GET /api/v1/directory/placements": {
    id: "listPlacementDirectory",
    summary: "List and search all placements within reach",
    answers: { 200: json(listOf(schemas.placementEntry)) },
  },
} as const satisfies Operations;
