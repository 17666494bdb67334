import { documentKey, type CandidatesKey, type DocumentKey } from "../../db/documents/keys.ts";
import type { CandidatesDocument, ContentOf, Documents, NetworkDocument, Stored } from "../../db/documents/types.ts";
import { UnavailableError } from "../../db/core/errors.ts";
import { remembering } from "../core/calls/remember.ts";
import { settingsOf } from "../env.ts";
import { refetch, waitFor } from "./flights.ts";
import { canAnswer, stateOf, type State } from "./freshness.ts";
import type { Found } from "./fetch.ts";
import { BusyError, NOT_LOOKED_UP } from "./lookups.ts";
import { memory } from "./memory.ts";

/** Limits how many keys are remembered; those of candidates, for each of so many countries. */
const REMEMBERED = 1_000;
const REMEMBERED_COUNTRIES = 20;

const candidatesOf = remembering(REMEMBERED_COUNTRIES, (country) =>
  remembering(REMEMBERED, (placementId) => documentKey.candidates(placementId, country)),
);

/**
 * Spells documents' keys as `documentKey` does, and remembers them: a map finds a known text much faster than a new
 * one, whose hash has to be computed first.
 */
export const documentKeys = {
  placement: remembering(REMEMBERED, documentKey.placement),
  key: remembering(REMEMBERED, documentKey.key),
  candidates: (placementId: string, country: string): CandidatesKey => candidatesOf(country)(placementId),
  narrow: documentKey.narrow,
  network: documentKey.network,
};

/** Limits how long an answer waits for a newer document where memory has an aged one, in milliseconds. */
export const AGED_LIMIT_MS = 1_000;

/** Limits how long an answer waits for a document that it needs, in milliseconds. */
const MISSING_LIMIT_MS = 8_000;

type Background = Pick<ExecutionContext, "waitUntil">;

/** Names the document of each kind that a request needs. */
type Wanted = Partial<Record<keyof Documents, DocumentKey>>;

/**
 * Holds the wanted document of each kind, null where the subject does not exist, and the narrower list if it came
 * along.
 */
type Asked<W extends Wanted> = { [Kind in keyof W & keyof Documents]: Documents[Kind] | null } & {
  narrow?: CandidatesDocument | null;
};

/** Returns the key of a narrower list that is worth reading, too, when an answer waits anyway; null for none. */
type Along = () => DocumentKey | null;

const KINDS = Object.keys({
  placement: true,
  key: true,
  candidates: true,
  narrow: true,
  network: true,
} satisfies Record<keyof Documents, true>) as (keyof Documents)[];

/** Returns what was wanted if memory has all of it fresh, as for most requests. */
const freshInMemory = <W extends Wanted>(env: Env, wanted: W): Asked<W> | null => {
  const since = Date.now() - settingsOf(env).DOCUMENT_FRESH_MS;
  const values: { [Kind in keyof Documents]?: Stored["value"] } = {};
  for (const kind of KINDS) {
    const key = wanted[kind];
    if (key === undefined) continue;
    const entry = memory.get(key);
    if (!entry || entry.readAt <= since) return null;
    values[kind] = entry.document.value;
  }
  return values as Asked<W>;
};

/**
 * Waits for documents, and replaces those that do not come by what memory has, of any age.
 *
 * @param spare come along where KV has them
 */
const wait = async (
  env: Env,
  context: Background,
  keys: readonly DocumentKey[],
  spare: readonly DocumentKey[],
): Promise<Found> => {
  const older = new Map(keys.map((key) => [key, memory.get(key)?.document] as const));
  const canDoWithout = keys.every((key) => older.get(key)?.value);
  const found = await waitFor(env, context, keys, spare, canDoWithout ? AGED_LIMIT_MS : MISSING_LIMIT_MS);
  const late = keys.filter((key) => !found.has(key) || found.get(key) === NOT_LOOKED_UP);
  for (const key of late) {
    const document = older.get(key);
    if (!document?.value && found.get(key) === NOT_LOOKED_UP) throw new BusyError();
    if (!document?.value) throw new UnavailableError("a document is neither stored nor could it be built");
    found.set(key, document);
  }
  if (late.length > 0) console.warn("documents are late; older ones in memory are served");
  return found;
};

/** Reads documents by their {@link State} in memory. */
const read = async (env: Env, context: Background, keys: DocumentKey[], narrow: DocumentKey | null): Promise<Found> => {
  const now = Date.now();
  const found: Found = new Map();
  const by: Record<State, DocumentKey[]> = { fresh: [], stale: [], aged: [], missing: [] };
  for (const key of keys) {
    const entry = memory.get(key);
    by[stateOf(entry, now, settingsOf(env).DOCUMENT_FRESH_MS)].push(key);
    if (entry) found.set(key, entry.document);
  }
  const waitedFor = [...by.aged, ...by.missing];
  if (waitedFor.length === 0) {
    refetch(env, context, by.stale);
    return found;
  }
  // An answer that has to wait waits for all documents, so that it reads KV once.
  const waited = await wait(env, context, [...waitedFor, ...by.stale], narrow === null ? [] : [narrow]);
  return new Map([...found, ...waited]);
};

const readSlowly = async <W extends Wanted>(
  env: Env,
  context: Background,
  wanted: W,
  narrow: DocumentKey | null,
): Promise<Asked<W>> => {
  const found = await read(env, context, Object.values(wanted), narrow);
  const keys = narrow !== null && found.has(narrow) ? { narrow, ...wanted } : wanted;
  const values = Object.entries(keys).map(([kind, key]) => [kind, found.get(key)?.value ?? null]);
  return Object.fromEntries(values) as Asked<W>;
};

/**
 * Reads the documents that an answer is decided on.
 *
 * @param wanted the key of one document of each kind, spelled by `documentKeys`
 * @param along called only when memory lacks something
 * @returns the documents themselves if memory has them, so that the answer needs no promise, and otherwise a promise;
 *   it rejects with {@link UnavailableError} when a document is neither in memory nor in KV and Postgres cannot build
 *   it
 */
export const readDocuments = <W extends Wanted>(
  env: Env,
  context: Background,
  wanted: W,
  along?: Along,
): Asked<W> | Promise<Asked<W>> => freshInMemory(env, wanted) ?? readSlowly(env, context, wanted, along?.() ?? null);

/** Tells whether memory has a list of candidates that cannot answer because of what has changed. */
export const isOutOfUse = (key: CandidatesKey, network: NetworkDocument | null, now: number): boolean => {
  const document = memory.get(key)?.document;
  return document !== undefined && !canAnswer(key, document, network, now);
};

/** Reads a narrower list as {@link readDocuments} does, but past memory, which serves only if nothing else comes. */
export const readAnew = async (
  env: Env,
  context: Background,
  key: CandidatesKey,
): Promise<{ narrow: CandidatesDocument | null }> => {
  const found = await wait(env, context, [key], []);
  return { narrow: (found.get(key)?.value ?? null) as CandidatesDocument | null };
};

/** Returns a document's content in memory, of any age; null when there is none. */
export const knownInMemory = <Key extends DocumentKey>(key: Key): ContentOf<Key> | null =>
  (memory.get(key)?.document.value ?? null) as ContentOf<Key> | null;
