import type { DocumentKey } from "../../db/documents/keys.ts";
import { within } from "../core/calls/within.ts";
import { latestChange } from "./changes.ts";
import { fetchDocuments, type Found } from "./fetch.ts";
import { NOT_LOOKED_UP } from "./lookups.ts";
import { memory } from "./memory.ts";
import { remember } from "./remembered.ts";

/** Limits how long one fetch is waited for before another is begun, in milliseconds: a connection may be lost. */
export const PATIENCE_MS = 2_000;

/** Limits how long a fetch may be joined, in milliseconds: as long as an answer waits for a document that it needs. */
const LOST_AFTER_MS = 8_000;

type Background = Pick<ExecutionContext, "waitUntil">;
type Flight = { keys: readonly DocumentKey[]; landed: Promise<Found>; asOf: number; startedAt: number };

/** Maps documents to the fetch of them that is under way in this isolate. */
const flights = new Map<DocumentKey, Flight>();

/**
 * Returns the fetch of a document that others may join: not one from before this isolate's last change, nor one that
 * seems lost.
 */
const flightOf = (key: DocumentKey): Flight | undefined => {
  const flight = flights.get(key);
  return flight?.asOf === latestChange() && Date.now() - flight.startedAt < LOST_AFTER_MS ? flight : undefined;
};

/** Closes a fetch, so that no other request joins it. */
const close = (flight: Flight): void => {
  for (const key of flight.keys) if (flights.get(key) === flight) flights.delete(key);
};

/** Begins a fetch that others may join, and keeps in memory what it finds. */
const launch = (env: Env, context: Background, keys: readonly DocumentKey[], spare: readonly DocumentKey[]): Flight => {
  const landed = fetchDocuments(env, context, keys, spare).then((found) => {
    for (const [key, document] of found) if (document !== NOT_LOOKED_UP) remember(key, document);
    return found;
  });
  const flight: Flight = { keys, landed, asOf: latestChange(), startedAt: Date.now() };
  const end = () => close(flight);
  for (const key of keys) flights.set(key, flight);
  // Keeps the fetch alive for those who joined, even when the request that began it is given up.
  context.waitUntil(landed.then(end, end));
  return flight;
};

/** Reads documents again behind an answer, except those that are already being fetched. */
export const refetch = (env: Env, context: Background, keys: readonly DocumentKey[]): void => {
  const idle = keys.filter((key) => !flightOf(key));
  if (idle.length > 0) launch(env, context, idle, []);
};

/** Joins the fetches that bring all of some documents, perhaps without the spare ones, or else begins a new one. */
const board = (
  env: Env,
  context: Background,
  keys: readonly DocumentKey[],
  spare: readonly DocumentKey[],
): Flight[] => {
  const joined = keys.map(flightOf);
  const all = joined.filter((flight) => flight !== undefined);
  return all.length === keys.length ? [...new Set(all)] : [launch(env, context, keys, spare)];
};

/**
 * Waits for documents together with all other requests that want them. When the first fetch is late or fails, those who
 * wait for it turn to a second one; there is no third.
 *
 * @param spare come along where KV has them, and are not waited for
 * @param limit milliseconds
 * @returns the documents that came in time
 */
export const waitFor = async (
  env: Env,
  context: Background,
  keys: readonly DocumentKey[],
  spare: readonly DocumentKey[],
  limit: number,
): Promise<Found> => {
  const startedAt = Date.now();
  const found: Found = new Map();
  const lacking = () => keys.filter((key) => !found.has(key));
  for (const attempt of [1, 2]) {
    const left = startedAt + limit - Date.now();
    if (lacking().length === 0 || left <= 0) break;
    const flying = board(env, context, lacking(), spare);
    const patience = attempt === 1 ? Math.min(PATIENCE_MS, left) : left;
    await Promise.all(
      flying.map(async (flight) => {
        const landed = await within(flight.landed, patience);
        if (!landed) close(flight);
        landed?.forEach((document, key) => found.set(key, document));
      }),
    );
    // A fetch that others began meanwhile may have brought what this one lacks.
    for (const key of lacking()) {
      const entry = memory.get(key);
      if (entry && entry.readAt >= startedAt) found.set(key, entry.document);
    }
  }
  return found;
};
