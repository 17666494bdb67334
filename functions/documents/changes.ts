import { documentKey, type DocumentKey } from "../../db/documents/keys.ts";
import type { Stored } from "../../db/documents/types.ts";
import { memory } from "./memory.ts";

/** Sets how long an own change is remembered, in milliseconds: longer than KV takes to show a write everywhere. */
const REMEMBERED_MS = 90_000;
const MAX_REMEMBERED = 10_000;

/** Holds the number of an own change, and the document as it was built since; null until then. */
type Change = { number: number; until: number; document: Stored | null };

/** Maps documents that this isolate outdated to their change: nothing older may answer, whatever KV still holds. */
const changes = new Map<DocumentKey, Change>();
let lastChange = 0;
let offersChangedAt = 0;

const forgetOld = (now: number): void => {
  for (const [key, oldest] of changes) {
    if (changes.size <= MAX_REMEMBERED && now <= oldest.until) break;
    changes.delete(key);
  }
};

/**
 * Notes that this isolate outdated documents, so that its next request sees their new state.
 *
 * @param built the new state of those that the change itself has built
 */
export const noteChanges = (keys: readonly DocumentKey[], built: ReadonlyMap<DocumentKey, Stored>): void => {
  lastChange += 1;
  const now = Date.now();
  for (const key of keys) {
    memory.delete(key);
    // To be deleted first puts it at the map's end, where the youngest are.
    changes.delete(key);
    changes.set(key, { number: lastChange, until: now + REMEMBERED_MS, document: built.get(key) ?? null });
  }
  if (keys.includes(documentKey.network)) offersChangedAt = built.get(documentKey.network)?.builtAt ?? now;
  forgetOld(now);
};

/** Returns when this isolate last changed offers, in milliseconds since 1970. */
export const lastOffersChange = (): number => offersChangedAt;

/** Returns the number of the latest own change. Taken before a build, it tells which changes the build is sure to show. */
export const latestChange = (): number => lastChange;

/**
 * Chooses between a document that KV holds and what this isolate knows of its own change to it.
 *
 * @returns the newer of both; undefined when it has to be built first
 */
export const afterChanges = (key: DocumentKey, stored: Stored | undefined): Stored | undefined => {
  const change = changes.get(key);
  if (!change) return stored;
  if (Date.now() > change.until) {
    changes.delete(key);
    return stored;
  }
  return change.document && stored && stored.builtAt > change.document.builtAt
    ? stored
    : (change.document ?? undefined);
};

/** Remembers a document that was built after an own change to it: {@link latestChange} gave `asOf` before the build. */
export const noteBuilt = (key: DocumentKey, document: Stored, asOf: number): void => {
  const change = changes.get(key);
  if (change && change.number <= asOf) change.document = document;
};
