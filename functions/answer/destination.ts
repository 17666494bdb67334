import { idSuffix } from "../../db/core/ids.ts";
import type { TrackedOffer } from "./tracking-token.ts";

/** Returns what an advertiser's server sends back with a conversion: it names one offer of one decision. */
export const clickId = (offer: Pick<TrackedOffer, "decisionId" | "offerId">): string =>
  `${idSuffix(offer.decisionId)}-${idSuffix(offer.offerId)}`;

/**
 * Returns an offer's destination with its macros `{click_id}`, `{session_id}` (the hash), `{placement_id}`, `{site_id}`,
 * `{offer_id}` and `{country}` filled in, URL-encoded. An unknown macro stays as it is.
 */
export const fillMacros = (destination: string, offer: TrackedOffer, siteId: string): string => {
  const values = new Map([
    ["click_id", clickId(offer)],
    ["session_id", offer.sessionHash ?? ""],
    ["placement_id", offer.placementId],
    ["site_id", siteId],
    ["offer_id", offer.offerId],
    ["country", offer.country],
  ]);
  return destination.replaceAll(/\{([a-z_]{1,20})\}/g, (macro, name: string) => {
    const value = values.get(name);
    return value === undefined ? macro : encodeURIComponent(value);
  });
};
