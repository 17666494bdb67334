import { subjectOf, type DocumentKey } from "../../db/documents/keys.ts";
import type { Stored } from "../../db/documents/types.ts";

/** Limits how many keys and placements that turn out not to exist an isolate asks Postgres for in a second. */
const LIMIT = 20;
const WINDOW_MS = 1_000;

/** Tells that a key or placement was not looked up, because too many were that do not exist. Whether it exists is open. */
export class BusyError extends Error {
  override readonly name = "BusyError";

  constructor() {
    super("too many unknown keys and placements were asked for");
  }
}

/** Stands for a document that was not looked up. */
export const NOT_LOOKED_UP: Stored = { builtAt: 0, value: null };

/** Tells whether anybody can make up names of such documents: each that KV lacks costs Postgres a statement. */
export const isNamedByCallers = (key: DocumentKey): boolean => /^(?:key|placement)$/.test(subjectOf(key).kind);

/** Tells whether a document is that of a name, or of the placement that it names. */
export const hangsOn = (key: DocumentKey, name: DocumentKey): boolean => {
  const [subject, named] = [subjectOf(key), subjectOf(name)];
  if (key === name) return true;
  return subject.kind === "candidates" && named.kind === "placement" && subject.placementId === named.placementId;
};

let second = { since: 0, used: 0, isTold: false };

/**
 * Takes one of this second's look-ups. Those under way count until they are given back.
 *
 * @param now milliseconds since 1970
 * @returns a function that gives it back, for what exists; null when none is left
 */
export const takeLookup = (now: number): (() => void) | null => {
  if (now - second.since >= WINDOW_MS) second = { since: now, used: 0, isTold: false };
  const taken = second;
  if (taken.used >= LIMIT) {
    if (!taken.isTold) console.warn(`unknown keys and placements are not looked up: there were ${LIMIT} in a second`);
    taken.isTold = true;
    return null;
  }
  taken.used += 1;
  return () => {
    taken.used -= 1;
  };
};
