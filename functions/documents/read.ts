import { documentKey, isCandidates, type DocumentKey } from "../../db/documents/keys.ts";
import type { Documents, Stored } from "../../db/documents/types.ts";
import { UnavailableError } from "../../db/core/errors.ts";
import { afterChanges, latestChange } from "./changes.ts";
import { changedAtOf, fetchDocuments, isOutdated } from "./fetch-documents.ts";
import { remembering } from "../core/remember.ts";
import { settingsOf } from "../env.ts";
import { memory } from "./memory.ts";
import { shareOffers } from "./shared-offers.ts";
import { within } from "../core/within.ts";

/** Until this age a document in memory answers while a new one is fetched behind the answer. */
const STALE_MS = 30_000;

/** How long an answer waits where memory has something older. */
const PATIENCE_MS = 1_000;

/** How long one that has nothing waits for the fetch of another: to ask a slow Postgres again would make it slower. */
const FOLLOWER_LIMIT_MS = 2_000;

/** Longer than a fetch takes, whose parts have limits of their own. */
const FETCH_LIMIT_MS = 5_000;

const KINDS = ["placement", "key", "candidates", "network"] as const satisfies (keyof Documents)[];

type Background = Pick<ExecutionContext, "waitUntil">;
type Found = Map<DocumentKey, Stored>;
type Flight = { keys: DocumentKey[]; landed: Promise<Found>; asOf: number; startedAt: number };

/** How many subjects' keys are remembered, those of candidates for so many countries. */
const REMEMBERED = 1_000;
const REMEMBERED_COUNTRIES = 20;

const candidatesKey = remembering(REMEMBERED_COUNTRIES, (country) =>
  remembering(REMEMBERED, (placementId) => documentKey.candidates(placementId, country)),
);

/** Keys of documents. They are remembered, because to find something by a new text its hash must be computed first. */
export const documentKeys = {
  placement: remembering(REMEMBERED, documentKey.placement),
  key: remembering(REMEMBERED, documentKey.key),
  candidates: (placementId: string, country: string): DocumentKey => candidatesKey(country)(placementId),
  network: documentKey.network,
};

/** Fetches under way in this isolate. */
const flights = new Map<DocumentKey, Flight>();

/** The fetch of a document that others may wait for: none from before a change, nor one that seems lost. */
const flightOf = (key: DocumentKey): Flight | undefined => {
  const flight = flights.get(key);
  return flight?.asOf === latestChange() && Date.now() - flight.startedAt < FETCH_LIMIT_MS ? flight : undefined;
};

/** Lets nobody else wait for a fetch: it has landed, or takes longer than anybody waits. */
const forget = (flight: Flight): void => {
  for (const key of flight.keys) if (flights.get(key) === flight) flights.delete(key);
};

/** Fetches documents for all who want them, and keeps in memory what no change has outdated meanwhile. */
const launch = (env: Env, context: Background, keys: DocumentKey[], offers: Stored | undefined): Promise<Found> => {
  const asOf = latestChange();
  const landed = fetchDocuments(env, context, keys, offers).then((found) => {
    const now = Date.now();
    for (const [key, document] of found) {
      const bytes = isCandidates(key) ? shareOffers(document) : JSON.stringify(document).length;
      if (afterChanges(key, document) === document) memory.set(key, document, bytes, now);
    }
    return found;
  });
  const flight = { keys, landed, asOf, startedAt: Date.now() };
  const land = () => forget(flight);
  for (const key of keys) flights.set(key, flight);
  context.waitUntil(landed.then(land, land));
  return landed;
};

/**
 * Waits for documents: for the fetches of other requests as long as `patience` if they bring all of them, else for one
 * of its own.
 *
 * @returns without those that were not to be had within `limit`, in milliseconds
 */
const fetchTogether = async (
  env: Env,
  context: Background,
  keys: DocumentKey[],
  offers: Stored | undefined,
  limit: number,
  patience = Math.min(limit, FOLLOWER_LIMIT_MS),
): Promise<Found> => {
  const since = Date.now();
  const shared = keys.flatMap((key) => flightOf(key) ?? []);
  if (shared.length < keys.length) return (await within(launch(env, context, keys, offers), limit)) ?? new Map();
  const joined = [...new Set(shared)];
  const landed = await Promise.all(joined.map((flight) => within(flight.landed, patience)));
  const found: Found = new Map(landed.flatMap((documents) => [...(documents ?? [])]));
  joined.filter((_, at) => landed[at] === null).forEach(forget);
  if (patience === limit || !landed.includes(null)) return found;
  const lost = keys.filter((key) => {
    const entry = memory.get(key);
    // What another one fetched while this one waited for the first.
    if (entry && entry.readAt >= since) found.set(key, entry.document);
    return !found.has(key);
  });
  const again = lost.length > 0 ? await fetchTogether(env, context, lost, offers, limit, limit) : [];
  return new Map([...found, ...again]);
};

/** Fetched documents, and what memory holds of any age in place of those that are not to be had, or not in time. */
const fetched = async (
  env: Env,
  context: Background,
  keys: DocumentKey[],
  offers: Stored | undefined,
): Promise<Found> => {
  const held = keys.map((key) => [key, memory.get(key)?.document] as const);
  const limit = held.every(([, document]) => document?.value) ? PATIENCE_MS : FETCH_LIMIT_MS;
  const found = await fetchTogether(env, context, keys, offers, limit);
  const lacking = held.filter(([key]) => !found.has(key));
  for (const [key, document] of lacking) {
    if (!document?.value) throw new UnavailableError("a document is neither stored nor to be built");
    found.set(key, document);
  }
  if (lacking.length > 0) console.warn("documents are late; those in memory are served");
  return found;
};

/** Documents by age: in memory and fresh; in memory and to be fetched behind the answer; to be waited for. */
const read = async (env: Env, context: Background, keys: DocumentKey[]): Promise<Found> => {
  const now = Date.now();
  const freshMs = settingsOf(env).DOCUMENT_FRESH_MS;
  const found: Found = new Map();
  const stale: DocumentKey[] = [];
  const missing: DocumentKey[] = [];
  for (const key of keys) {
    const entry = memory.get(key);
    const age = entry ? now - entry.readAt : Infinity;
    if (entry && age < freshMs) found.set(key, entry.document);
    else if (entry?.document.value && freshMs > 0 && age < STALE_MS) {
      found.set(key, entry.document);
      if (!flightOf(key)) stale.push(key);
    } else missing.push(key);
  }
  const add = (documents: Found) => documents.forEach((document, key) => found.set(key, document));
  const offers = memory.get(documentKey.network)?.document;
  // An answer that waits anyway waits for all, so that it reads KV once.
  const wanted = missing.length > 0 ? [...missing, ...stale] : [];
  if (wanted.length > 0) add(await fetched(env, context, wanted, offers));
  else if (stale.length > 0) void launch(env, context, stale, offers);
  const late = keys.filter((key) => {
    const document = found.get(key);
    const isChecked = !isCandidates(key) || wanted.includes(key);
    return !isChecked && document && isOutdated(document, changedAtOf(found.get(documentKey.network)) ?? 0, now);
  });
  if (late.length > 0) add(await fetched(env, context, late, found.get(documentKey.network)));
  return found;
};

/** Which document of each kind a request needs. */
type Wanted = Partial<Record<keyof Documents, DocumentKey>>;
type Values = { [Kind in keyof Documents]?: Stored["value"] | undefined };

/** What was wanted of each kind. */
type Asked<W extends Wanted> = { [Kind in keyof W & keyof Documents]: Documents[Kind] | null };

/** What was wanted if memory has all of it, fresh and none outdated, as it has for most requests. */
const freshInMemory = <W extends Wanted>(env: Env, wanted: W): Asked<W> | null => {
  const now = Date.now();
  const since = now - settingsOf(env).DOCUMENT_FRESH_MS;
  const fresh = (key: DocumentKey | undefined): Stored | null | undefined => {
    if (key === undefined) return undefined;
    const entry = memory.get(key);
    return entry && entry.readAt > since ? entry.document : null;
  };
  const key = fresh(wanted.key);
  const placement = fresh(wanted.placement);
  const candidates = fresh(wanted.candidates);
  const network = fresh(wanted.network);
  if (key === null || placement === null || candidates === null || network === null) return null;
  if (candidates && isOutdated(candidates, changedAtOf(network) ?? 0, now)) return null;
  const values = {
    key: key?.value,
    placement: placement?.value,
    candidates: candidates?.value,
    network: network?.value,
  };
  return values as Asked<W>;
};

const valuesOf = (wanted: Wanted, found: Found): Values => {
  const values: Values = {};
  for (const kind of KINDS) {
    const key = wanted[kind];
    if (key !== undefined) values[kind] = found.get(key)?.value ?? null;
  }
  return values;
};

/**
 * The documents that an answer is decided on; null where the subject does not exist.
 *
 * @param wanted the key of one document a kind, made by {@link documentKeys}
 * @returns at once what memory has, so that its answer needs no promise, and rejects when a document is neither in
 *   memory, nor in KV, nor to be had from Postgres
 */
export const readDocuments = <W extends Wanted>(
  env: Env,
  context: Background,
  wanted: W,
): Asked<W> | Promise<Asked<W>> =>
  freshInMemory(env, wanted) ??
  read(env, context, Object.values(wanted)).then((found) => valuesOf(wanted, found) as Asked<W>);
