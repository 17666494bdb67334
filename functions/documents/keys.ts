import { documentKey, type DocumentKey } from "../../db/documents/keys.ts";
import { remembering } from "../core/remember.ts";

/** Limits how many subjects' keys are remembered; those of candidates for each of so many countries. */
const REMEMBERED = 1_000;
const REMEMBERED_COUNTRIES = 20;

const candidatesOf = remembering(REMEMBERED_COUNTRIES, (country) =>
  remembering(REMEMBERED, (placementId): DocumentKey => documentKey.candidates(placementId, country)),
);

/**
 * Spells documents' keys as `documentKey` does, and remembers those asked for last: a map finds a known text much faster
 * than a new one, whose hash has to be computed first.
 */
export const documentKeys = {
  placement: remembering(REMEMBERED, documentKey.placement),
  key: remembering(REMEMBERED, documentKey.key),
  candidates: (placementId: string, country: string): DocumentKey => candidatesOf(country)(placementId),
  narrow: documentKey.narrow,
  network: documentKey.network,
};
