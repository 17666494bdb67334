import { offerRow } from "./offer-row.ts";
import { demoOffersBritish, demoOffersSpanish } from "./offers-british-spanish.ts";
import { demoOffersFrench, demoOffersGerman } from "./offers-german-french.ts";
import { demoOffersForAll } from "./offers-for-all.ts";
import { demoOffersIdle } from "./offers-idle.ts";
import { demoOffersTargeted } from "./offers-targeted.ts";

/** Lists all offers of the demo network, as rows to insert. */
export const demoOffers = [
  ...demoOffersForAll,
  ...demoOffersTargeted,
  ...demoOffersBritish,
  ...demoOffersGerman,
  ...demoOffersFrench,
  ...demoOffersSpanish,
  ...demoOffersIdle,
].map(offerRow);
