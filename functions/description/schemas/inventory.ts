import * as z from "zod";
import {
  AGE_DEMOGRAPHICS,
  GENDER_DEMOGRAPHICS,
  PAGE_TYPES,
  PLACEMENT_STATUSES,
  SITE_STATUSES,
} from "../../../db/schema/values.ts";
import { placementData } from "../../routes/inventory/placement-data.ts";
import { count, idOf, loosely, named, object, time } from "./common.ts";

export const category = named(
  "Category",
  object({ id: z.string(), name: z.string(), path: z.string(), taxonomyId: z.string() }),
);

export const site = named(
  "Site",
  object({
    id: idOf("site"),
    name: z.string(),
    description: z.string().nullable(),
    orderVolume: z.int().min(0).nullable(),
    averageOrder: z.number().min(0).nullable(),
    ageDemographics: z.enum(AGE_DEMOGRAPHICS).nullable(),
    genderDemographics: z.enum(GENDER_DEMOGRAPHICS).nullable(),
    domain: z.string().nullable(),
    status: z.enum(SITE_STATUSES),
    adsEnabled: z.boolean(),
    category: category.nullable(),
    createdAt: time(),
    updatedAt: time(),
  }),
);
const placementName = named(
  "PlacementName",
  object({ id: idOf("placement"), name: z.string(), status: loosely(z.enum(PLACEMENT_STATUSES)) }),
);
const stats = named(
  "SiteStats",
  object({
    placements: count(),
    activePlacements: count(),
    requests: count(),
    impressions: count(),
    clicks: count(),
    closes: count(),
    ctr: z.number().min(0),
  }),
);
export const listedSite = named(
  "ListedSite",
  object({
    id: idOf("site"),
    name: z.string(),
    domain: z.string().nullable(),
    status: z.enum(SITE_STATUSES),
    createdAt: time(),
    category: category.nullable().optional(),
    placements: z.array(placementName).optional(),
    stats: stats.optional(),
  }),
);
export const changedSite = named(
  "ChangedSite",
  object({
    id: idOf("site"),
    name: z.string(),
    orderVolume: z.int().min(0).nullable(),
    averageOrder: z.number().min(0).nullable(),
    updatedAt: time(),
  }),
);
export const siteSwitches = named(
  "SiteSwitches",
  object({ id: idOf("site"), name: z.string(), status: z.enum(SITE_STATUSES), adsEnabled: z.boolean() }),
);

export const placement = named(
  "Placement",
  object({
    id: idOf("placement"),
    name: z.string(),
    siteId: idOf("site"),
    pageType: z.enum(PAGE_TYPES),
    isLiveMode: z.boolean(),
    template: z.int().min(1).max(21),
    data: loosely(named("PlacementData", placementData())),
    status: z.enum(PLACEMENT_STATUSES),
    createdAt: time(),
    updatedAt: time(),
  }),
);
