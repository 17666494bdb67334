import { connect } from "../../db/core/client.ts";
import { subjectOf, type DocumentKey } from "../../db/documents/keys.ts";
import { findNames, type Named } from "../../db/documents/names.ts";
import type { Stored } from "../../db/documents/types.ts";
import { within } from "../core/calls/within.ts";

/** Limits how many keys and placements an isolate may look up one by one in a second that turn out not to exist. */
const LIMIT = 20;
const WINDOW_MS = 1_000;

/**
 * Says that a key or placement was not looked up, because too many of those looked up did not exist. It may exist or
 * not.
 */
export class BusyError extends Error {
  override readonly name = "BusyError";

  constructor() {
    super("too many unknown keys and placements were asked for");
  }
}

/** Stands for a document that was not looked up. */
export const NOT_LOOKED_UP: Stored = { builtAt: 0, value: null };

/** Tells whether callers can make up names of such documents: each name that KV lacks costs Postgres a statement. */
export const isNamedByCallers = (key: DocumentKey): boolean => /^(?:key|placement)$/.test(subjectOf(key).kind);

/** Tells whether a document is the one of a name, or belongs to the placement that it names. */
export const hangsOn = (key: DocumentKey, name: DocumentKey): boolean => {
  const [subject, named] = [subjectOf(key), subjectOf(name)];
  if (key === name) return true;
  return subject.kind === "candidates" && named.kind === "placement" && subject.placementId === named.placementId;
};

/** Limits how long a look-up waits for one of those under way to end, and sets how often it checks, in milliseconds. */
export const TURN_MS = 2_000;
const ASK_MS = 100;

/** Sets when a look-up counts as lost, in milliseconds: later than the limits of those who ask Postgres. */
const LOST_AFTER_MS = 6_000;

/** Counts what turned out not to exist within the current second. */
let second = { since: 0, unknown: 0, isTold: false };

/** Holds when each look-up under way was begun, in milliseconds since 1970. */
const underWay = new Set<{ readonly since: number }>();

const isFull = (now: number): boolean => {
  if (now - second.since >= WINDOW_MS) second = { since: now, unknown: 0, isTold: false };
  for (const lookup of underWay) if (now - lookup.since >= LOST_AFTER_MS) underWay.delete(lookup);
  return second.unknown + underWay.size >= LIMIT;
};

/** Limits how many names are asked for together, how long they are gathered, and how long the answer is waited for, in milliseconds. */
const MOST_TOGETHER = 1_000;
const GATHER_MS = 100;
const TOGETHER_LIMIT_MS = 4_000;

/** Holds the names that are being gathered, and the promise of what Postgres says about them. */
let gathering: { asked: Set<DocumentKey>; found: Promise<Named | null> } | null = null;

const gather = (env: Env, context: Pick<ExecutionContext, "waitUntil">) => {
  const asked = new Set<DocumentKey>();
  const found = scheduler
    .wait(GATHER_MS)
    .then(() => {
      gathering = null;
      return findNames(connect(env.DATABASE_URL, TOGETHER_LIMIT_MS), [...asked]);
    })
    .catch(() => null);
  // Keeps the look-up alive for those who joined it, even when the request that began it is given up.
  context.waitUntil(found);
  return { asked, found };
};

/**
 * Finds which of some names exist, in one statement for all that are asked for within a tenth of a second. So made-up
 * names keep nobody from what exists, and cost Postgres little.
 *
 * @returns null where too many are asked for, or Postgres does not answer
 */
export const findTogether = async (
  env: Env,
  context: Pick<ExecutionContext, "waitUntil">,
  names: readonly DocumentKey[],
): Promise<Named | null> => {
  if ((gathering?.asked.size ?? 0) >= MOST_TOGETHER) return null;
  gathering ??= gather(env, context);
  for (const name of names) gathering.asked.add(name);
  return within(gathering.found, GATHER_MS + TOGETHER_LIMIT_MS);
};

/**
 * Takes one of this second's look-ups. Those that find something are given back; so if all are still under way, it
 * waits for them.
 *
 * @returns a function to end the look-up, which takes whether all that was asked for exists; null when no look-up is
 *   left
 */
export const takeLookup = async (): Promise<((exists: boolean) => void) | null> => {
  const until = Date.now() + TURN_MS;
  for (let now = Date.now(); isFull(now); now = Date.now()) {
    if (second.unknown < LIMIT && now < until) {
      await scheduler.wait(ASK_MS);
      continue;
    }
    if (!second.isTold)
      console.warn(`unknown keys and placements are asked for together: there were ${LIMIT} in a second`);
    second.isTold = true;
    return null;
  }
  const lookup = { since: Date.now() };
  underWay.add(lookup);
  return (exists) => {
    if (underWay.delete(lookup) && !exists) second.unknown += 1;
  };
};
