import type { DocumentKey, Documents, Stored } from "../../db/documents.ts";
import { describeError } from "../log.ts";
import { changedSince, latestChange } from "./changes.ts";
import { changedAtOf, fetchDocuments, isCandidates, missedChange, OFFERS } from "./fetch-documents.ts";
import { memory } from "./memory.ts";

/** Until this age a document in memory answers while a new one is fetched behind the answer. */
const STALE_MS = 30_000;

/** How long an answer waits for others' fetches, and for its own where memory has something older. */
const PATIENCE_MS = 1_000;

type Background = Pick<ExecutionContext, "waitUntil">;
type Found = Map<DocumentKey, Stored>;

export const documentKeys = {
  placement: (id: string): DocumentKey => `placement:${id}`,
  key: (publicKey: string): DocumentKey => `key:${publicKey}`,
  candidates: (placementId: string, country: string): DocumentKey => `candidates:${placementId}:${country}`,
  offers: OFFERS,
};

/** Fetches under way in this isolate; whoever wants the same document waits for the first. */
const flights = new Map<DocumentKey, Promise<Found>>();

/** Fetches documents for all who want them, and keeps them in memory. */
const launch = (env: Env, context: Background, keys: DocumentKey[]): Promise<Found> => {
  const asOf = latestChange();
  const flight = fetchDocuments(env, context, keys, memory.get(OFFERS)?.document).then((found) => {
    const now = Date.now();
    for (const [key, document] of found) {
      if (!changedSince(key, asOf)) memory.set(key, document, JSON.stringify(document).length, now);
    }
    return found;
  });
  const land = () => {
    for (const key of keys) if (flights.get(key) === flight) flights.delete(key);
  };
  for (const key of keys) flights.set(key, flight);
  context.waitUntil(flight.then(land, land));
  return flight;
};

/** What a promise gives within a time; null when it takes longer. */
const within = async <T>(promise: Promise<T>, milliseconds: number): Promise<T | null> => {
  const timer = new AbortController();
  const late = scheduler.wait(milliseconds, { signal: timer.signal }).then(
    () => null,
    () => null,
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
  }
};

/** Waits for fetches of documents: those under way in other requests, and one for all the rest. */
const awaitFetched = async (env: Env, context: Background, keys: DocumentKey[]): Promise<Found> => {
  const shared = new Set(keys.flatMap((key) => flights.get(key) ?? []));
  const own = keys.filter((key) => !flights.has(key));
  const landed: Found = new Map();
  const add = (found: Found | null) => found?.forEach((document, key) => landed.set(key, document));
  const launched = own.length > 0 ? launch(env, context, own) : null;
  for (const flight of shared) add(await within(flight, PATIENCE_MS).catch(() => null));
  if (launched) add(await launched);
  // A leader that was cut off must not take its followers with it.
  const lost = keys.filter((key) => !landed.has(key));
  if (lost.length > 0) add(await launch(env, context, lost));
  return landed;
};

/** Fetched documents, or what memory holds of any age when they cannot be had, or not in time. */
const fetched = async (env: Env, context: Background, keys: DocumentKey[]): Promise<Found> => {
  const old = keys.every((key) => memory.get(key)?.document.value);
  try {
    const found = old
      ? await within(awaitFetched(env, context, keys), PATIENCE_MS)
      : await awaitFetched(env, context, keys);
    if (found) return found;
    console.warn("documents are late; those in memory are served");
  } catch (error) {
    if (!old) throw error;
    console.warn(`documents in memory are served: ${describeError(error)}`);
  }
  return new Map(keys.flatMap((key) => memory.get(key) ?? []).map((entry, i) => [keys[i] ?? OFFERS, entry.document]));
};

/** Documents by age: in memory and fresh; in memory and to be fetched behind the answer; to be waited for. */
const read = async (env: Env, context: Background, keys: DocumentKey[]): Promise<Found> => {
  const now = Date.now();
  const freshMs = Number(env.DOCUMENT_FRESH_MS);
  const found: Found = new Map();
  const stale: DocumentKey[] = [];
  const missing: DocumentKey[] = [];
  for (const key of keys) {
    const entry = memory.get(key);
    const age = entry ? now - entry.readAt : Infinity;
    if (entry && age < freshMs) found.set(key, entry.document);
    else if (entry?.document.value && freshMs > 0 && age < STALE_MS) {
      found.set(key, entry.document);
      if (!flights.has(key)) stale.push(key);
    } else missing.push(key);
  }
  if (missing.length > 0) for (const [key, document] of await fetched(env, context, missing)) found.set(key, document);
  if (stale.length > 0) context.waitUntil(launch(env, context, stale).catch(() => undefined));
  const changedAt = changedAtOf(found.get(OFFERS)) ?? 0;
  const late = keys.filter((key) => {
    const document = found.get(key);
    return isCandidates(key) && !missing.includes(key) && document && missedChange(document, changedAt, now);
  });
  if (late.length > 0) for (const [key, document] of await fetched(env, context, late)) found.set(key, document);
  return found;
};

/** Which document of each kind a request needs. */
type Wanted = Partial<Record<keyof Documents, DocumentKey>>;

/**
 * The documents that an answer is decided on; null where the subject does not exist.
 *
 * @param wanted the key of one document a kind, made by {@link documentKeys}
 * @throws when a document is neither in memory, nor in KV, nor to be had from Postgres
 */
export const readDocuments = async <W extends Wanted>(
  env: Env,
  context: Background,
  wanted: W,
): Promise<{ [Kind in keyof W & keyof Documents]: Documents[Kind] | null }> => {
  const found = await read(env, context, Object.values(wanted));
  const values: Record<string, Stored["value"]> = {};
  for (const [kind, key] of Object.entries(wanted)) values[kind] = found.get(key)?.value ?? null;
  return values as { [Kind in keyof W & keyof Documents]: Documents[Kind] | null };
};
