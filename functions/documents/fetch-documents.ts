import { connect } from "../../db/core/client.ts";
import { buildDocuments } from "../../db/documents/build.ts";
import { documentKey, isCandidates, type DocumentKey } from "../../db/documents/keys.ts";
import type { NetworkDocument, Stored } from "../../db/documents/types.ts";
import { describeError } from "../core/log.ts";
import { afterChanges, latestChange, rememberBuilt } from "./changes.ts";
import { publishDocuments } from "./publish.ts";
import { putDocument, readStored, UNREADABLE } from "./store.ts";
import { within } from "../core/within.ts";

/** How long an answer waits for KV before it turns to Postgres. */
const KV_LIMIT_MS = 1_000;

/** How long an answer waits for Postgres. */
const POSTGRES_LIMIT_MS = 3_000;

/** How old candidates may be before they are made anew behind an answer. */
const CANDIDATES_MAX_AGE_MS = 5 * 60_000;

/** Candidates built this soon after a change may have missed its commit; they are made once more when it has passed. */
const COMMIT_SLACK_MS = 5_000;

/** Outdated documents that were served because Postgres built no newer ones, and the change that they lack. */
const builtInVain = new WeakMap<Stored, number>();

/** Whether candidates may lack the last change of offers. */
const missedChange = (candidates: Stored, changedAt: number, now: number): boolean =>
  candidates.builtAt < changedAt ||
  (candidates.builtAt < changedAt + COMMIT_SLACK_MS && now > candidates.builtAt + COMMIT_SLACK_MS);

/** Whether candidates lack the last change of offers, and newer ones were not asked for in vain. */
export const isOutdated = (candidates: Stored, changedAt: number, now: number): boolean =>
  missedChange(candidates, changedAt, now) && builtInVain.get(candidates) !== changedAt;

/** When offers last changed, as their document says. */
export const changedAtOf = (offers: Stored | undefined): number | undefined =>
  (offers?.value as NetworkDocument | null | undefined)?.changedAt;

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

const build = async (env: Env, keys: DocumentKey[]): Promise<Map<DocumentKey, Stored>> => {
  const built = await buildDocuments(await connect(env.DATABASE_URL, POSTGRES_LIMIT_MS), keys);
  const [first] = built.values();
  const skew = first ? Date.now() - first.builtAt : 0;
  if (Math.abs(skew) > COMMIT_SLACK_MS) console.warn(`this isolate's clock is ${skew} ms ahead of Postgres'`);
  return built;
};

/** Makes candidates anew behind an answer that the old ones were good enough for. */
const refresh = async (env: Env, keys: DocumentKey[]): Promise<void> => {
  try {
    await keep(env, await build(env, keys), new Set(keys));
  } catch (error) {
    console.warn(`candidates were not made anew: ${describeError(error)}`);
  }
};

/**
 * Fetches documents: those in KV with one read, all that are missing there or outdated with one statement from Postgres.
 * What this isolate itself outdated is missing until it was built anew.
 *
 * @param offers the offers document where the caller holds it, to tell outdated candidates by
 * @returns an entry for each key, whose `value` is null where the subject does not exist; none for a document that is
 *   neither in KV nor to be had from Postgres
 */
export const fetchDocuments = async (
  env: Env,
  context: Pick<ExecutionContext, "waitUntil">,
  keys: DocumentKey[],
  offers: Stored | undefined,
): Promise<Map<DocumentKey, Stored>> => {
  const stored = (await within(readStored(env.DOCUMENTS, keys), KV_LIMIT_MS)) ?? UNREADABLE;
  const found = new Map<DocumentKey, Stored>();
  for (const key of keys) {
    const document = afterChanges(key, stored.get(key));
    if (document) found.set(key, document);
  }
  const now = Date.now();
  // Where the last change is asked for and not at hand, no candidates can be known to be of today.
  const changedAt = keys.includes(documentKey.network)
    ? (changedAtOf(found.get(documentKey.network)) ?? Infinity)
    : (changedAtOf(offers) ?? 0);
  const missing = keys.filter((key) => {
    const document = found.get(key);
    return !document || (isCandidates(key) && missedChange(document, changedAt, now));
  });
  if (missing.length > 0) {
    const asOf = latestChange();
    try {
      const built = await build(env, missing);
      for (const [key, document] of built) {
        found.set(key, document);
        rememberBuilt(key, document, asOf);
      }
      const unstored = [...built].filter(([key]) => isCandidates(key) || !stored.has(key));
      // While KV fails nobody knows what it holds.
      if (stored !== UNREADABLE) context.waitUntil(keep(env, new Map(unstored), new Set(stored.keys())));
    } catch (error) {
      // Outdated documents are better than none: a decision checks dates and stopped offers again.
      for (const key of missing) {
        const outdated = stored.get(key);
        if (!outdated) continue;
        found.set(key, outdated);
        builtInVain.set(outdated, changedAt);
      }
      console.warn(`documents were not built; outdated ones are served: ${describeError(error)}`);
    }
  }
  const aged = keys.filter((key) => isCandidates(key) && now - (found.get(key)?.builtAt ?? 0) > CANDIDATES_MAX_AGE_MS);
  if (aged.length > 0) context.waitUntil(refresh(env, aged));
  return found;
};
