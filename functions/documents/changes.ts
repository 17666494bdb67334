import { documentKey, isCandidates, type DocumentKey } from "../../db/documents/keys.ts";
import type { NetworkDocument, Stored } from "../../db/documents/types.ts";
import { withChangesOf } from "../../db/documents/withheld.ts";
import { COMMIT_SLACK_MS } from "./freshness.ts";
import { memory } from "./memory.ts";

/**
 * Sets how long this isolate remembers its own changes, in milliseconds: longer than KV takes to show a write
 * everywhere.
 */
const REMEMBERED_MS = 90_000;
const MAX_REMEMBERED = 10_000;

/** Sets after how long a pause a change of offers counts as the first of a new series, in milliseconds. */
const QUIET_MS = 30_000;

/**
 * Holds one of this isolate's changes: its number, the document as built since then, or null, and the build time from
 * which on any other copy shows the change, too. That time is by the clock of the database, so it is infinite until the
 * database has named one.
 */
type Change = { number: number; until: number; document: Stored | null; shownFrom: number };

/** Maps documents that this isolate outdated to their change: no older copy may answer, whatever KV still holds. */
const changes = new Map<DocumentKey, Change>();
let lastChange = 0;

/**
 * Holds this isolate's last change of offers, when it was made, and how long after the first one of its series.
 * Candidates from before it may still answer, but are renewed.
 */
let offersChange = { number: 0, shownFrom: 0, at: 0, afterFirst: 0 };

/** Maps candidates to the build time of the first copy that is sure to show {@link offersChange}. */
const renewed = new Map<DocumentKey, number>();

const forgetOld = (now: number): void => {
  for (const [key, oldest] of changes) {
    if (changes.size <= MAX_REMEMBERED && now <= oldest.until) break;
    changes.delete(key);
  }
};

/**
 * Returns the document that a change has built, with what the previous change's document has. Both may have been made
 * at the same time, so that each document lacks the other change.
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
 * @param built the new state of documents that the change itself has built
 */
export const noteChanges = (keys: readonly DocumentKey[], built: ReadonlyMap<DocumentKey, Stored>): void => {
  lastChange += 1;
  const now = Date.now();
  for (const key of keys) {
    const document = together(key, built.get(key), changes.get(key), now);
    // A change's own batch builds before it commits: what others build in between is newer, but lacks the change.
    const shownFrom = document ? document.builtAt + COMMIT_SLACK_MS : Infinity;
    memory.delete(key);
    // Deleting it first puts it at the end of the map, where the latest are.
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

/**
 * Returns the build time from which on candidates show this isolate's changes of offers, in milliseconds since 1970.
 */
export const ownChangesShownFrom = (key: DocumentKey): number =>
  Math.min(renewed.get(key) ?? Infinity, offersChange.shownFrom);

/**
 * Returns how old candidates become before they are renewed for this isolate's changes of offers, in milliseconds: half
 * the time that such changes have gone on. Most lists belong to other platforms, and should not be rebuilt all the time
 * because one platform makes hundreds of changes a minute.
 */
export const ownChangesPatience = (): number => offersChange.afterFirst / 2;

/**
 * Returns the number of this isolate's latest change. Taken before a build, it tells which changes the build is sure to
 * show.
 */
export const latestChange = (): number => lastChange;

/**
 * Chooses between a document that KV holds and the one that this isolate has from its own change.
 *
 * @returns the newer of the two; undefined when it has to be built first
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
 * Notes that a document was built for publishing, after this isolate's changes up to `asOf`, which {@link latestChange}
 * returned before. Copies built from then on show these changes, with what others changed since. A copy in KV from
 * before may be newer than the one here and yet lack a change, which was committed later.
 *
 * @param builtAt milliseconds since 1970
 */
export const notePublished = (key: DocumentKey, builtAt: number, asOf: number): void => {
  const change = changes.get(key);
  if (!change || change.number > asOf) return;
  // What this isolate has built since is newer, and may have answered already. A writer of an older version returns no
  // time.
  if (builtAt < change.shownFrom) change.shownFrom = Math.max(builtAt, change.document?.builtAt ?? 0);
};

/**
 * Remembers a document that was built after this isolate's changes up to `asOf`, which {@link latestChange} returned
 * before.
 */
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
