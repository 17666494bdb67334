import { isCandidates, type DocumentKey } from "../../db/documents/keys.ts";
import type { Stored } from "../../db/documents/types.ts";
import { afterChanges } from "./changes.ts";
import { memory, textBytes } from "./memory.ts";
import { shareOffers } from "./sharing.ts";

/** Returns about how many bytes the document's JSON takes in memory, and lets candidates share their offers. */
const sizeOf = (key: DocumentKey, document: Stored): number => {
  const known = memory.get(key);
  if (known?.document === document) return known.bytes;
  return isCandidates(key) ? shareOffers(document) : textBytes(JSON.stringify(document));
};

/** Keeps a document that was just read or built in memory, unless an own change has outdated it meanwhile. */
export const remember = (key: DocumentKey, document: Stored): void => {
  const bytes = sizeOf(key, document);
  if (afterChanges(key, document) === document) memory.set(key, document, bytes, Date.now());
};
