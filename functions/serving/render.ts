import type { Candidate, PlacementDocument } from "../../db/documents.ts";
import { offerOf, templateOf } from "./envelope.ts";

/** What was rendered for a base address; texts hold the place of each token as the gap between two parts. */
type Rendered<Value> = { base: string; value: Value };

const offerParts = new WeakMap<Candidate, Rendered<string[]>>();
const placementTails = new WeakMap<PlacementDocument, Rendered<string>>();

/** Stands for a token while an offer is rendered. Nobody can know it, so no advertiser's text can hold it. */
let placeholder: string | null = null;

const partsOf = (base: string, candidate: Candidate): string[] => {
  const known = offerParts.get(candidate);
  if (known?.base === base) return known.value;
  placeholder ??= crypto.randomUUID();
  const value = JSON.stringify(offerOf(base, candidate, placeholder)).split(placeholder);
  offerParts.set(candidate, { base, value });
  return value;
};

const tailOf = (base: string, placement: PlacementDocument): string => {
  const known = placementTails.get(placement);
  if (known?.base === base) return known.value;
  const { adDisplayDelay, templateData } = templateOf(base, placement.siteName, placement.data);
  const rest = { adDisplayDelay, isTestMode: !placement.isLiveMode, siteStatus: placement.siteStatus, templateData };
  const value = JSON.stringify(rest).slice(1);
  placementTails.set(placement, { base, value });
  return value;
};

/**
 * The answer to a request for offers as JSON: the contract's envelope, 2.7. All but the tracking tokens is the same from
 * one answer to the next, so it is rendered once for each document in memory.
 *
 * @param base address of the service, without a slash at its end
 * @param tokenOf an offer's tracking token, made of characters that need no escaping
 */
export const renderEnvelope = (
  base: string,
  placement: PlacementDocument,
  offers: readonly Candidate[],
  tokenOf: (offerId: string) => string,
): string => {
  const pieces = ['{"offers":['];
  for (const offer of offers) {
    const token = tokenOf(offer.id);
    for (const part of partsOf(base, offer)) pieces.push(part, token);
    pieces[pieces.length - 1] = ",";
  }
  if (offers.length > 0) pieces.pop();
  pieces.push("],", tailOf(base, placement));
  return pieces.join("");
};
