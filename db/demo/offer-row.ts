import { priorEcpm } from "../demand/pricing.ts";
import type { offers } from "../schema/demand.ts";

type OfferRow = typeof offers.$inferInsert;

/** An offer as the demo files write it: what follows from other fields is left out. */
export type DemoOffer = Omit<OfferRow, "ecpmMicros" | "iconUrl" | "iconWidth" | "iconHeight"> & {
  /** Name of one of the service's own icons. */
  icon?: string;
};

/** The row to insert for a demo offer. Paths of own icons are made absolute when they are served. */
export const offerRow = ({ icon, ...offer }: DemoOffer): OfferRow => ({
  ...offer,
  ecpmMicros: priorEcpm(offer.pricing, offer.bidMicros),
  ...(icon ? { iconUrl: `/icons/${icon}.svg`, iconWidth: 96, iconHeight: 96 } : {}),
});
