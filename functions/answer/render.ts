import type { Candidate, PlacementDocument } from "../../db/documents/types.ts";
import { offerOf, templateOf } from "./envelope.ts";
import { tokenOf } from "./tracking-token.ts";

/** Holds what was rendered for a base address; a seal goes into each gap between two parts. */
type Rendered<Value> = { base: string; value: Value };

const offerParts = new WeakMap<Candidate, Rendered<string[]>>();
const placementTails = new WeakMap<PlacementDocument, Rendered<string>>();

/** Stands for a seal while an offer is rendered. Nobody can know it, so no advertiser's text can contain it. */
let placeholder: string | null = null;

const partsOf = (base: string, candidate: Candidate): string[] => {
  const known = offerParts.get(candidate);
  if (known?.base === base) return known.value;
  placeholder ??= crypto.randomUUID();
  const value = JSON.stringify(offerOf(base, candidate, tokenOf(placeholder, candidate))).split(placeholder);
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
 * Renders the answer to a request for offers as JSON (API.md, "GET /api/odata"). Everything except the seal of its
 * tracking tokens is the same in each answer, so it is rendered once for each document in memory.
 *
 * @param base the address of the service, without a slash at its end
 * @param seal the decision's seal, made of characters that need no escaping
 */
export const renderEnvelope = (
  base: string,
  placement: PlacementDocument,
  offers: readonly Candidate[],
  seal: string,
): string => {
  const pieces = ['{"offers":['];
  for (const offer of offers) {
    for (const part of partsOf(base, offer)) pieces.push(part, seal);
    pieces[pieces.length - 1] = ",";
  }
  if (offers.length > 0) pieces.pop();
  pieces.push("],", tailOf(base, placement));
  return pieces.join("");
};
