import * as z from "zod";
import {
  PAGE_TYPES,
  PLACEMENT_STATUSES,
  PUBLISHER_STATUSES,
  SITE_STATUSES,
  TOKEN_ACCESSES,
} from "../../../db/schema/values.ts";
import { count, idOf, named, object, time } from "./common.ts";

export const who = named(
  "Who",
  object({
    kind: z.enum(["publisher", "platform", "admin"]),
    id: z.string().nullable(),
    name: z.string().nullable(),
    access: z.enum(TOKEN_ACCESSES),
    revenueAccess: z.boolean(),
    grossAccess: z.boolean(),
  }),
);

const counts = { placements: count(), activePlacements: count() };
const times = { createdAt: time(), updatedAt: time() };

export const publisherEntry = named(
  "PublisherEntry",
  object({
    id: idOf("publisher"),
    name: z.string(),
    contactName: z.string(),
    contactEmail: z.string(),
    contactPhone: z.string().nullable(),
    status: z.enum(PUBLISHER_STATUSES),
    adsEnabled: z.boolean(),
    elevatedLimits: z.boolean(),
    platformId: idOf("platform"),
    platformName: z.string(),
    sites: count(),
    ...counts,
    ...times,
  }),
);
export const siteEntry = named(
  "SiteEntry",
  object({
    id: idOf("site"),
    name: z.string(),
    domain: z.string().nullable(),
    status: z.enum(SITE_STATUSES),
    adsEnabled: z.boolean(),
    publisherId: idOf("publisher"),
    publisherName: z.string(),
    ...counts,
    ...times,
  }),
);
export const placementEntry = named(
  "PlacementEntry",
  object({
    id: idOf("placement"),
    name: z.string(),
    pageType: z.enum(PAGE_TYPES),
    isLiveMode: z.boolean(),
    status: z.enum(PLACEMENT_STATUSES),
    siteId: idOf("site"),
    siteName: z.string(),
    siteStatus: z.enum(SITE_STATUSES),
    siteAdsEnabled: z.boolean(),
    publisherId: idOf("publisher"),
    publisherName: z.string(),
    ...times,
  }),
);
