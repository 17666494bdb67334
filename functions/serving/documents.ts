import { connect } from "../../db/client.ts";
import { buildDocuments, type DocumentKey, type Documents, type Stored } from "../../db/documents.ts";
import { describeError } from "../log.ts";
import { afterChanges, latestChange, rememberBuilt } from "./changes.ts";
import { publishDocuments } from "./publish.ts";
import { putDocument, readStored } from "./store.ts";

/** How old candidates may be before they are made anew behind an answer. */
const CANDIDATES_MAX_AGE_MS = 5 * 60_000;

/** Candidates built this soon after a change may have missed its commit; they are made once more when it has passed. */
const COMMIT_SLACK_MS = 5_000;

export const documentKeys = {
  placement: (id: string): DocumentKey => `placement:${id}`,
  key: (publicKey: string): DocumentKey => `key:${publicKey}`,
  candidates: (placementId: string, country: string): DocumentKey => `candidates:${placementId}:${country}`,
  offers: "offers" as const satisfies DocumentKey,
};

const isCandidates = (key: DocumentKey): boolean => key.startsWith("candidates:");

const missedChange = (candidates: Stored, changedAt: number, now: number): boolean =>
  candidates.builtAt < changedAt ||
  (candidates.builtAt < changedAt + COMMIT_SLACK_MS && now > candidates.builtAt + COMMIT_SLACK_MS);

/**
 * Keeps what was built: candidates carry their age and can be put by anyone, the others go through their writer. Of
 * what does not exist only a document that KV held is rewritten, so that unknown ids leave no trace.
 */
const keep = async (
  env: Env,
  built: ReadonlyMap<DocumentKey, Stored>,
  held: ReadonlySet<DocumentKey>,
): Promise<void> => {
  const kept = [...built].filter(([key, document]) => document.value !== null || held.has(key));
  const candidates = kept.filter(([key]) => isCandidates(key));
  await Promise.all([
    publishDocuments(
      env,
      kept.map(([key]) => key).filter((key) => !isCandidates(key)),
    ),
    ...candidates.map(([key, document]) =>
      putDocument(env.DOCUMENTS, key, document).catch((error: unknown) => {
        console.warn(`candidates were not put: ${describeError(error)}`);
      }),
    ),
  ]);
};

/** Makes candidates anew behind an answer that the old ones were good enough for. */
const refresh = async (env: Env, keys: DocumentKey[]): Promise<void> => {
  try {
    await keep(env, await buildDocuments(connect(env.DATABASE_URL), keys), new Set(keys));
  } catch (error) {
    console.warn(`candidates were not made anew: ${describeError(error)}`);
  }
};

/**
 * Reads documents: those in KV with one read, all that are missing there or outdated with one statement from Postgres.
 * What this isolate itself outdated is missing until it was built anew.
 *
 * @returns an entry for each key; `value` is null where the subject does not exist
 * @throws when a document is neither in KV nor to be had from Postgres
 */
const read = async (
  env: Env,
  context: Pick<ExecutionContext, "waitUntil">,
  keys: DocumentKey[],
): Promise<Map<DocumentKey, Stored>> => {
  const stored = await readStored(env.DOCUMENTS, keys);
  const found = new Map<DocumentKey, Stored>();
  for (const key of keys) {
    const document = afterChanges(key, stored.get(key));
    if (document) found.set(key, document);
  }
  const offers = found.get(documentKeys.offers) as Stored<"offers"> | undefined;
  const now = Date.now();
  // Where the last change is asked for and not at hand, no candidates can be known to be of today.
  const changedAt = offers?.value?.changedAt ?? (keys.includes(documentKeys.offers) ? Infinity : 0);
  const missing = keys.filter((key) => {
    const document = found.get(key);
    return !document || (isCandidates(key) && missedChange(document, changedAt, now));
  });
  if (missing.length > 0) {
    const asOf = latestChange();
    try {
      const built = await buildDocuments(connect(env.DATABASE_URL), missing);
      for (const [key, document] of built) {
        found.set(key, document);
        rememberBuilt(key, document, asOf);
      }
      const unstored = [...built].filter(([key]) => isCandidates(key) || !stored.has(key));
      context.waitUntil(keep(env, new Map(unstored), new Set(stored.keys())));
    } catch (error) {
      // Outdated documents are better than none: a decision checks dates and stopped offers again.
      for (const key of missing) {
        const outdated = stored.get(key);
        if (!outdated) throw error;
        found.set(key, outdated);
      }
      console.warn(`outdated documents are served: ${describeError(error)}`);
    }
  }
  const aged = keys.filter((key) => isCandidates(key) && now - (found.get(key)?.builtAt ?? 0) > CANDIDATES_MAX_AGE_MS);
  if (aged.length > 0) context.waitUntil(refresh(env, aged));
  return found;
};

/** Which document of each kind a request needs. */
type Wanted = Partial<Record<keyof Documents, DocumentKey>>;

/**
 * The documents that an answer is decided on; null where the subject does not exist.
 *
 * @param wanted the key of one document a kind, made by {@link documentKeys}
 * @throws when a document is neither in KV nor to be had from Postgres
 */
export const readDocuments = async <W extends Wanted>(
  env: Env,
  context: Pick<ExecutionContext, "waitUntil">,
  wanted: W,
): Promise<{ [Kind in keyof W & keyof Documents]: Documents[Kind] | null }> => {
  const found = await read(env, context, Object.values(wanted));
  const values = Object.entries(wanted).map(([kind, key]) => [kind, found.get(key)?.value ?? null]);
  return Object.fromEntries(values) as { [Kind in keyof W & keyof Documents]: Documents[Kind] | null };
};
