import { offerRow } from "./demo-offer-row.ts";
import { demoOffersBritish, demoOffersSpanish } from "./demo-offers-abroad.ts";
import { demoOffersFrench, demoOffersGerman } from "./demo-offers-europe.ts";
import { demoOffersForAll } from "./demo-offers-for-all.ts";
import { demoOffersIdle } from "./demo-offers-idle.ts";
import { demoOffersTargeted } from "./demo-offers-targeted.ts";

/** All offers of the demo network, as rows to insert. */
export const demoOffers = [
  ...demoOffersForAll,
  ...demoOffersTargeted,
  ...demoOffersBritish,
  ...demoOffersGerman,
  ...demoOffersFrench,
  ...demoOffersSpanish,
  ...demoOffersIdle,
].map(offerRow);
