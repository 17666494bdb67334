import { documentKey, isCandidates, type DocumentKey } from "../../db/documents/keys.ts";
import type { NetworkDocument, Stored } from "../../db/documents/types.ts";
import { withChangesOf } from "../../db/documents/withheld.ts";
import { COMMIT_SLACK_MS } from "./freshness.ts";
import { memory } from "./memory.ts";

/** Sets how long an own change is remembered, in milliseconds: longer than KV takes to show a write everywhere. */
const REMEMBERED_MS = 90_000;
const MAX_REMEMBERED = 10_000;

/** Sets after how long a pause an own change of offers is the first again, in milliseconds. */
const QUIET_MS = 30_000;

/**
 * Holds the number of an own change, the document as it was built since, null until then, and from which time of build on
 * every other document shows the change too: by the clock of the database, so that nothing is known before it told one.
 */
type Change = { number: number; until: number; document: Stored | null; shownFrom: number };

/** Maps documents that this isolate outdated to their change: nothing older may answer, whatever KV still holds. */
const changes = new Map<DocumentKey, Change>();
let lastChange = 0;

/**
 * Holds this isolate's last change of offers, when it was made, and how long after the first of those that led up to it.
 * Candidates from before it may answer, and are renewed.
 */
let offersChange = { number: 0, shownFrom: 0, at: 0, afterFirst: 0 };

/** Maps candidates to the build time of the first ones that are sure to show {@link offersChange}. */
const renewed = new Map<DocumentKey, number>();

const forgetOld = (now: number): void => {
  for (const [key, oldest] of changes) {
    if (changes.size <= MAX_REMEMBERED && now <= oldest.until) break;
    changes.delete(key);
  }
};

/**
 * Returns what a change has built, with what the change noted before it has. They may have been made at the same time, so
 * that what one has built lacks the other.
 */
const together = (
  key: DocumentKey,
  built: Stored | undefined,
  before: Change | undefined,
  now: number,
): Stored | null => {
  if (!built || key !== documentKey.network || !before?.document || now > before.until) return built ?? null;
  if (built.builtAt >= before.shownFrom) return built;
  const [older, newer] = [built, before.document].toSorted((a, b) => a.builtAt - b.builtAt) as [Stored, Stored];
  if (!newer.value || !older.value) return newer;
  return { ...newer, value: withChangesOf(newer.value as NetworkDocument, older.value as NetworkDocument) };
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
    const document = together(key, built.get(key), changes.get(key), now);
    // A change's own batch builds before it commits: what others build in between is younger, but lacks the change.
    const shownFrom = document ? document.builtAt + COMMIT_SLACK_MS : Infinity;
    memory.delete(key);
    // To be deleted first puts it at the map's end, where the youngest are.
    changes.delete(key);
    changes.set(key, { number: lastChange, until: now + REMEMBERED_MS, document, shownFrom });
    if (key !== documentKey.network) continue;
    const since = now - offersChange.at;
    offersChange = {
      number: lastChange,
      shownFrom: (document?.builtAt ?? now) + COMMIT_SLACK_MS,
      at: now,
      afterFirst: since < QUIET_MS ? offersChange.afterFirst + since : 0,
    };
    renewed.clear();
  }
  forgetOld(now);
};

/** Returns from which time of build on candidates show this isolate's changes of offers, in milliseconds since 1970. */
export const ownChangesShownFrom = (key: DocumentKey): number =>
  Math.min(renewed.get(key) ?? Infinity, offersChange.shownFrom);

/**
 * Returns how old candidates become before they are renewed for own changes of offers, in milliseconds: half the time for
 * which such changes have gone on. Most lists are other platforms', and one platform's hundreds of changes a minute are not
 * to build them all the time.
 */
export const ownChangesPatience = (): number => offersChange.afterFirst / 2;

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
  return stored && stored.builtAt >= change.shownFrom ? stored : (change.document ?? undefined);
};

/**
 * Notes that a document was built to be published, after own changes: {@link latestChange} gave `asOf` before. What is built
 * from then on shows them, with what others changed since. Until then a younger document in KV may lack an own change, which
 * was committed later.
 *
 * @param builtAt milliseconds since 1970
 */
export const notePublished = (key: DocumentKey, builtAt: number, asOf: number): void => {
  const change = changes.get(key);
  if (!change || change.number > asOf) return;
  // What this isolate has built since is younger, and may have answered already. A writer of an older version tells no time.
  if (builtAt < change.shownFrom) change.shownFrom = Math.max(builtAt, change.document?.builtAt ?? 0);
};

/** Remembers a document that was built after own changes: {@link latestChange} gave `asOf` before the build. */
export const noteBuilt = (key: DocumentKey, document: Stored, asOf: number): void => {
  if (isCandidates(key)) {
    if (offersChange.number === 0 || asOf < offersChange.number || renewed.has(key)) return;
    if (renewed.size >= MAX_REMEMBERED) renewed.clear();
    renewed.set(key, document.builtAt);
    return;
  }
  const change = changes.get(key);
  if (change && change.number <= asOf) Object.assign(change, { document, shownFrom: document.builtAt });
};
