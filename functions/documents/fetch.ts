import { connect } from "../../db/core/client.ts";
import { buildDocuments } from "../../db/documents/build.ts";
import { documentKey, isCandidates, type DocumentKey } from "../../db/documents/keys.ts";
import type { ContentOf, Stored } from "../../db/documents/types.ts";
import { describeError } from "../core/log.ts";
import { within } from "../core/calls/within.ts";
import { afterChanges, latestChange, noteBuilt, ownChangesPatience, ownChangesShownFrom } from "./changes.ts";
import { canAnswer, needsRenewal, type Surroundings } from "./freshness.ts";
import { findTogether, hangsOn, isNamedByCallers, NOT_LOOKED_UP, takeLookup } from "./lookups.ts";
import { putDocument, readStored, UNREADABLE } from "./kv.ts";
import { memory } from "./memory.ts";
import { publishDocuments } from "./publish.ts";
import { afterRenewal } from "./remembered.ts";
import { renewDocuments } from "./renew.ts";

/** Limits how long an answer waits for KV before it turns to Postgres, in milliseconds. */
const KV_LIMIT_MS = 1_000;

/** Limits how long an answer waits for Postgres, in milliseconds. */
export const POSTGRES_LIMIT_MS = 4_000;

/** Sets how far this machine's clock and Postgres' may differ before a warning, in milliseconds. */
const MAX_SKEW_MS = 5_000;

type Background = Pick<ExecutionContext, "waitUntil">;

/** Maps keys to documents. A document whose `value` is null says that its subject does not exist. */
export type Found = Map<DocumentKey, Stored>;

/**
 * Stores what was built. Candidates carry their own age, so this isolate puts them; the others go through their
 * writers. A document that says "does not exist" is stored only if KV held another one, so that unknown ids leave no
 * trace.
 */
const store = async (env: Env, built: Found, held: ReadonlySet<DocumentKey>): Promise<void> => {
  const kept = [...built].filter(([key, document]) => document.value !== null || held.has(key));
  const candidates = kept.filter(([key]) => isCandidates(key));
  const others = kept.map(([key]) => key).filter((key) => !isCandidates(key));
  await Promise.all([
    publishDocuments(env, others),
    ...candidates.map(([key, document]) =>
      putDocument(env.DOCUMENTS, key, document).catch((error: unknown) => {
        console.warn(`candidates were not stored in KV: ${describeError(error)}`);
      }),
    ),
  ]);
};

const build = async (env: Env, keys: DocumentKey[]): Promise<Found> => {
  const asOf = latestChange();
  const built = await buildDocuments(connect(env.DATABASE_URL, POSTGRES_LIMIT_MS), keys);
  for (const [key, document] of built) noteBuilt(key, document, asOf);
  const [first] = built.values();
  const skew = first ? Date.now() - first.builtAt : 0;
  if (Math.abs(skew) > MAX_SKEW_MS) console.warn(`this isolate's clock is ${skew} ms ahead of Postgres'`);
  return built;
};

/** Returns the content of a document that was just read, or else that of the one in memory. */
const valueOf = <Key extends DocumentKey>(found: Found, key: Key): ContentOf<Key> | null =>
  ((found.get(key) ?? memory.get(key)?.document)?.value ?? null) as ContentOf<Key> | null;

const surroundingsOf = (found: Found): Surroundings => ({
  network: valueOf(found, documentKey.network),
  placementOf: (id) => valueOf(found, documentKey.placement(id)),
  ownChangesShownFrom,
  ownChangesPatience,
});

/**
 * Fetches documents: those in KV with one bulk read, the others with one statement from Postgres. Documents that are
 * old are renewed behind the answer.
 *
 * @param spare come along where KV has them, and are not built
 * @returns an entry for each key, but none for a document that KV lacks and Postgres could not build, and {@link
 *   NOT_LOOKED_UP} for one that was not looked up
 */
export const fetchDocuments = async (
  env: Env,
  context: Background,
  keys: readonly DocumentKey[],
  spare: readonly DocumentKey[],
): Promise<Found> => {
  const all = [...keys, ...spare];
  const reading = readStored(env.DOCUMENTS, all, (key) => memory.get(key)?.document);
  const stored = (await within(reading, KV_LIMIT_MS)) ?? UNREADABLE;
  const found: Found = new Map();
  for (const key of all) {
    const document = afterChanges(key, afterRenewal(key, stored.get(key)));
    if (document) found.set(key, document);
  }
  const now = Date.now();
  const network = valueOf(found, documentKey.network);
  const isMissing = (key: DocumentKey) => {
    const document = found.get(key);
    return !document || !canAnswer(key, document, network, now);
  };
  const missing = keys.filter(isMissing);
  for (const key of spare.filter(isMissing)) found.delete(key);
  // While KV fails, a missing document may exist or not. One that memory has does exist.
  const isUnknown = (key: DocumentKey) => isNamedByCallers(key) && !stored.has(key) && !memory.get(key)?.document.value;
  const unknown = stored === UNREADABLE ? [] : missing.filter(isUnknown);
  const endLookup = unknown.length > 0 ? await takeLookup() : undefined;
  const named = endLookup === null ? await findTogether(env, context, unknown) : null;
  const nobodys = endLookup === null ? unknown.filter((name) => !named?.names.has(name)) : [];
  // Others may have joined this fetch for what exists, so only documents of unknown names are not built.
  const refused = missing.filter((key) => nobodys.some((name) => hangsOn(key, name)));
  const absent = named ? { builtAt: named.builtAt, value: null } : NOT_LOOKED_UP;
  for (const key of refused) if (!found.has(key)) found.set(key, absent);
  const wanted = missing.filter((key) => !refused.includes(key));
  if (wanted.length > 0) {
    let exists = false;
    try {
      const built = await build(env, wanted);
      exists = unknown.every((key) => built.get(key)?.value);
      for (const [key, document] of built) found.set(key, document);
      const unstored = [...built].filter(([key]) => isCandidates(key) || !stored.has(key));
      // While KV fails, it is not known what it holds.
      if (stored !== UNREADABLE) context.waitUntil(store(env, new Map(unstored), new Set(stored.keys())));
    } catch (error) {
      console.warn(`documents were not built; older ones are served where there are any: ${describeError(error)}`);
    } finally {
      endLookup?.(exists);
    }
  }
  if (stored !== UNREADABLE) {
    const around = surroundingsOf(found);
    const old = [...found].filter(
      ([key, document]) => !missing.includes(key) && needsRenewal(key, document, around, now),
    );
    renewDocuments(env, context, old);
  }
  return found;
};
