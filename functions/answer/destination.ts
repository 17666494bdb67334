import { idSuffix } from "../../db/core/ids.ts";
import type { TrackedOffer } from "./tracking-token.ts";

/** Returns what an advertiser's server sends back with a conversion: it names one offer of one decision. */
export const clickId = (offer: Pick<TrackedOffer, "decisionId" | "offerId">): string =>
  `${idSuffix(offer.decisionId)}-${idSuffix(offer.offerId)}`;

/** Lists what a destination may have filled in (API.md, "Macros"). */
export const MACROS = ["{click_id}", "{session_id}", "{placement_id}", "{site_id}", "{offer_id}", "{country}"] as const;

/** Lists what stands in braces in a destination and is no macro, each once. */
export const unknownMacros = (destination: string): string[] => {
  const inBraces = destination.split("{").map((part) => `{${part.slice(0, part.indexOf("}") + 1)}`);
  const closed = inBraces.slice(1).filter((macro) => macro.endsWith("}"));
  return [...new Set(closed)].filter((macro) => !(MACROS as readonly string[]).includes(macro));
};

/** Returns an offer's destination with its macros filled in, URL-encoded. An unknown macro stays as it is. */
export const fillMacros = (destination: string, offer: TrackedOffer, siteId: string): string => {
  const values: Record<(typeof MACROS)[number], string> = {
    "{click_id}": clickId(offer),
    "{session_id}": offer.sessionHash ?? "",
    "{placement_id}": offer.placementId,
    "{site_id}": siteId,
    "{offer_id}": offer.offerId,
    "{country}": offer.country,
  };
  const filled = new Map<string, string>(Object.entries(values));
  return destination.replaceAll(/\{[a-z_]{1,20}\}/g, (macro) => {
    const value = filled.get(macro);
    return value === undefined ? macro : encodeURIComponent(value);
  });
};
