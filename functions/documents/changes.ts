import type { DocumentKey } from "../../db/documents/keys.ts";
import type { Stored } from "../../db/documents/types.ts";
import { memory } from "./memory.ts";
import { publishDocuments } from "./publish.ts";

/** Longer than KV and its caches take to show a write everywhere. */
const REMEMBERED_MS = 90_000;
const MAX_REMEMBERED = 10_000;

type Change = { number: number; until: number; document: Stored | null };

/** What this isolate changed: nothing older may answer it, whatever KV's caches still hold. */
const changes = new Map<DocumentKey, Change>();
let lastChange = 0;

/** Publishes documents that this isolate outdated, and makes its next request see their new state. */
export const announceChanges = (
  env: Env,
  context: Pick<ExecutionContext, "waitUntil">,
  keys: readonly DocumentKey[],
): void => {
  lastChange += 1;
  const now = Date.now();
  const until = now + REMEMBERED_MS;
  for (const key of keys) {
    memory.delete(key);
    changes.delete(key);
    changes.set(key, { number: lastChange, until, document: null });
  }
  for (const [key, oldest] of changes) {
    if (changes.size <= MAX_REMEMBERED && now <= oldest.until) break;
    changes.delete(key);
  }
  if (keys.length > 0) context.waitUntil(publishDocuments(env, keys));
};

/** The number of the latest change; taken before a build, it tells which changes the build is sure to show. */
export const latestChange = (): number => lastChange;

/**
 * The document to answer from, where this isolate changed it.
 *
 * @param found what KV holds
 * @returns the newer of both; undefined when it has to be built first
 */
export const afterChanges = (key: DocumentKey, found: Stored | undefined): Stored | undefined => {
  const change = changes.get(key);
  if (!change) return found;
  if (Date.now() > change.until) {
    changes.delete(key);
    return found;
  }
  return change.document && found && found.builtAt > change.document.builtAt ? found : (change.document ?? undefined);
};

/** Remembers a built document whose subject this isolate changed before {@link latestChange} gave `asOf`. */
export const rememberBuilt = (key: DocumentKey, document: Stored, asOf: number): void => {
  const change = changes.get(key);
  if (change && change.number <= asOf) change.document = document;
};
