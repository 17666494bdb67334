import type { Candidate, Creatives } from "../../../db/documents/types.ts";
import { OPEN_OFFER } from "./arbitrary-decisions.ts";

/** Makes a creative that an offer has besides its own texts. */
export const otherCreative = (number: number, weight: number): Creatives["others"][number] => ({
  number,
  weight,
  title: `Title ${number}`,
  header: "Header",
  description: "Description",
  ctaText: "Yes",
  declineButtonText: "No",
  termsUrl: null,
  iconUrl: null,
  iconWidth: null,
  iconHeight: null,
  destinationUrl: `https://advertiser.example/${number}`,
});

/**
 * Makes an offer of several creatives that suits all requests.
 *
 * @param weight the weight of its own texts
 * @param others the numbers and weights of the others
 */
export const splitOffer = (weight: number, ...others: [number: number, weight: number][]): Candidate => ({
  ...OPEN_OFFER,
  creatives: { weight, others: others.map(([number, its]) => otherCreative(number, its)) },
});
