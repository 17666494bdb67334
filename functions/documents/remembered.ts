import { isCandidates, type DocumentKey } from "../../db/documents/keys.ts";
import type { Stored } from "../../db/documents/types.ts";
import { afterChanges } from "./changes.ts";
import { memory } from "./memory.ts";
import { shareOffers } from "./sharing.ts";

/** Keeps a document that was just read or built in memory, unless an own change has outdated it meanwhile. */
export const remember = (key: DocumentKey, document: Stored): void => {
  const bytes = isCandidates(key) ? shareOffers(document) : JSON.stringify(document).length;
  if (afterChanges(key, document) === document) memory.set(key, document, bytes, Date.now());
};
