import { switchRecord } from "../schemas/accounts.ts";
import { changed, done, found, listOf } from "../schemas/common.ts";
import * as schemas from "../schemas/inventory.ts";
import { demo } from "../../../db/demo/network.ts";
import { json, type Operations } from "./operation.ts";

/** Describes sites. */
export const SITES = {
  "POST /api/site": {
    id: "createSite",
    summary: "Create a site",
    description:
      "Where there is a site of this name already, it is returned as it is, with 200, and nothing is created.",
    answers: {
      200: json(changed(schemas.site), "There was a site of this name already"),
      201: json(changed(schemas.site)),
    },
    errors: ["disallowed", "missing"],
    example: {
      name: "Pine and Pebble",
      status: "active",
      categoryName: "Home and Decor > Home Improvement and Maintenance",
    },
  },
  "GET /api/site": {
    id: "listSites",
    summary: "List the publisher's sites",
    answers: { 200: json(listOf(schemas.listedSite)) },
  },
  "GET /api/site/:id": {
    id: "getSite",
    summary: "Get a site",
    answers: { 200: json(found(schemas.site)) },
  },
  "PUT /api/site/:id": {
    id: "updateSite",
    summary: "Change a site",
    description: "Null clears what may be null.",
    answers: { 200: json(changed(schemas.changedSite)) },
    errors: ["disallowed", "nameTaken"],
    example: { orderVolume: 12_500 },
  },
  "PATCH /api/site/:id/status": {
    id: "updateSiteStatus",
    summary: "Switch a site on or off",
    description: "It leaves a switch record. At most 50 switches a minute, or 150 with elevated limits.",
    answers: { 200: json(changed(schemas.siteSwitches)) },
    example: { status: "active" },
  },
  "PATCH /api/site/:id/ads": {
    id: "updateSiteAds",
    summary: "Switch a site's ads on or off",
    description: "It leaves a switch record. At most 50 switches a minute, or 150 with elevated limits.",
    answers: { 200: json(changed(schemas.siteSwitches)) },
    example: { adsEnabled: true },
  },
  "GET /api/site/:id/events": {
    id: "listSiteEvents",
    summary: "List the records of a site's switches",
    answers: { 200: json(listOf(switchRecord)) },
  },
  "DELETE /api/site/:id": {
    id: "deleteSite",
    summary: "Delete a site for good",
    description: "Its placements, records and links to customers go with it.",
    answers: { 200: json(done()) },
    errors: ["activePlacements"],
  },
  "GET /api/v1/categories": {
    id: "listCategories",
    summary: "List and search what sites may sell",
    answers: { 200: json(listOf(schemas.category)) },
  },
} as const satisfies Operations;

/** Describes placements. */
export const PLACEMENTS = {
  "POST /api/placements": {
    id: "createPlacement",
    summary: "Create a placement",
    description:
      "It goes onto the site `siteId`, or onto the site named `storeName`, which is created if there is none.",
    answers: { 201: json(changed(schemas.placement)) },
    errors: ["missing"],
    example: { siteId: demo.sites.trail, name: "Thank you", pageType: "THANK_YOU_PAGE", isLiveMode: true },
  },
  "GET /api/placements": {
    id: "listPlacements",
    summary: "List the publisher's placements",
    answers: { 200: json(listOf(schemas.placement)) },
    errors: ["missing"],
  },
  "GET /api/placements/:id": {
    id: "getPlacement",
    summary: "Get a placement",
    answers: { 200: json(found(schemas.placement)) },
  },
  "PUT /api/placements/:id": {
    id: "updatePlacement",
    summary: "Change a placement",
    description: "`data` replaces all of the old one. A placement stays on its site.",
    answers: { 200: json(changed(schemas.placement)) },
    example: { data: { brandName: "Demo Outfitters", adDisplayDelay: 500 } },
  },
  "PATCH /api/placements/:id/status": {
    id: "updatePlacementStatus",
    summary: "Switch a placement on or off",
    answers: { 200: json(changed(schemas.placement)) },
    example: { status: "active" },
  },
  "DELETE /api/placements/:id": {
    id: "deletePlacement",
    summary: "Delete a placement for good",
    description: "Its links to customers go with it.",
    answers: { 200: json(done()) },
  },
} as const satisfies Operations;
