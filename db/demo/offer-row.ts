import { priorEcpm } from "../demand/pricing.ts";
import type { offers } from "../schema/demand.ts";

type OfferRow = typeof offers.$inferInsert;

/** Describes an offer as the demo files write it, without the fields that follow from others. */
export type DemoOffer = Omit<OfferRow, "ecpmMicros" | "iconUrl" | "iconWidth" | "iconHeight"> & {
  /** Names one of the service's own icons. */
  icon?: string;
};

/** Returns the row to insert for a demo offer. Its icon stays a path, which becomes a URL when the offer is served. */
export const offerRow = ({ icon, ...offer }: DemoOffer): OfferRow => ({
  ...offer,
  ecpmMicros: priorEcpm(offer.pricing, offer.bidMicros),
  ...(icon ? { iconUrl: `/icons/${icon}.svg`, iconWidth: 96, iconHeight: 96 } : {}),
});
