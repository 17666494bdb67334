import { isCandidates, type DocumentKey } from "../../db/documents/keys.ts";
import type { Stored } from "../../db/documents/types.ts";
import { afterChanges } from "./changes.ts";
import { SPREADING_MS } from "./freshness.ts";
import { memory, textBytes } from "./memory.ts";
import { shareOffers } from "./sharing.ts";

/** Returns about how many bytes the document's JSON takes in memory, and lets candidates share their offers. */
const sizeOf = (key: DocumentKey, document: Stored): number => {
  const known = memory.get(key);
  if (known?.document === document) return known.bytes;
  return isCandidates(key) ? shareOffers(document) : textBytes(JSON.stringify(document));
};

/**
 * Keeps a document that was just read or built in memory, unless a change of this isolate has outdated it meanwhile.
 */
export const remember = (key: DocumentKey, document: Stored): void => {
  const bytes = sizeOf(key, document);
  if (afterChanges(key, document) === document) memory.set(key, document, bytes, Date.now());
};

/** Holds when documents that writers built for this isolate arrived, in milliseconds since 1970. */
const renewedAt = new WeakMap<Stored, number>();

/** Keeps a document in memory that its writer has just built: KV may hold an older one for a while. */
export const rememberRenewed = (key: DocumentKey, document: Stored): void => {
  renewedAt.set(document, Date.now());
  remember(key, document);
};

/** Chooses between a document that KV holds and the one in memory, which is newer while its put is on its way or refused. */
export const afterRenewal = (key: DocumentKey, stored: Stored | undefined): Stored | undefined => {
  const known = memory.get(key)?.document;
  if (!known || !stored || stored.builtAt >= known.builtAt) return stored;
  return Date.now() - (renewedAt.get(known) ?? 0) < SPREADING_MS ? known : stored;
};
