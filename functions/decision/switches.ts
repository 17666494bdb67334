import type { KeyDocument, PlacementDocument } from "../../db/documents/types.ts";

/** Why an answer has no offers, as the header `x-no-fill-reason` says it. */
export type NoFillReason =
  | "publisher_inactive"
  | "publisher_ads_disabled"
  | "site_not_active"
  | "site_ads_disabled"
  | "placement_inactive"
  | "no_eligible_offer";

/** The first switch that keeps offers off a placement, or null when all of them are on. */
export const switchedOff = (
  publisher: Pick<KeyDocument, "status" | "adsEnabled">,
  placement: PlacementDocument,
): NoFillReason | null => {
  if (publisher.status !== "active") return "publisher_inactive";
  if (!publisher.adsEnabled) return "publisher_ads_disabled";
  if (placement.siteStatus !== "active") return "site_not_active";
  if (!placement.siteAdsEnabled) return "site_ads_disabled";
  if (placement.status !== "active") return "placement_inactive";
  return null;
};
