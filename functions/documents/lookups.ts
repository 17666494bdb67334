import { connect } from "../../db/core/client.ts";
import { subjectOf, type DocumentKey } from "../../db/documents/keys.ts";
import { findNames, type Named } from "../../db/documents/names.ts";
import type { Stored } from "../../db/documents/types.ts";
import { within } from "../core/calls/within.ts";

/** Limits how many keys and placements that turn out not to exist an isolate asks Postgres for in a second, each by itself. */
const LIMIT = 20;
const WINDOW_MS = 1_000;

/** Tells that a key or placement was not looked up, because too many were that do not exist. Whether it exists is open. */
export class BusyError extends Error {
  override readonly name = "BusyError";

  constructor() {
    super("too many unknown keys and placements were asked for");
  }
}

/** Stands for a document that was not looked up. */
export const NOT_LOOKED_UP: Stored = { builtAt: 0, value: null };

/** Tells whether anybody can make up names of such documents: each that KV lacks costs Postgres a statement. */
export const isNamedByCallers = (key: DocumentKey): boolean => /^(?:key|placement)$/.test(subjectOf(key).kind);

/** Tells whether a document is that of a name, or of the placement that it names. */
export const hangsOn = (key: DocumentKey, name: DocumentKey): boolean => {
  const [subject, named] = [subjectOf(key), subjectOf(name)];
  if (key === name) return true;
  return subject.kind === "candidates" && named.kind === "placement" && subject.placementId === named.placementId;
};

/** Limits how long a look-up waits for one of those under way to end, and sets how often it asks, in milliseconds. */
export const TURN_MS = 2_000;
const ASK_MS = 100;

/** Takes a look-up for lost after so many milliseconds: those who ask Postgres have a limit that is shorter. */
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

/** Holds the names that are gathered now, and what Postgres will say of them. */
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
  // Keeps it alive for those who joined, even when the request that began it is given up.
  context.waitUntil(found);
  return { asked, found };
};

/**
 * Finds which of some names exist, in one statement for all that are asked for within a tenth of a second. So who made up
 * names keeps nobody from what exists, and costs Postgres little.
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
 * Takes one of this second's look-ups. What exists costs none; so where all others are still under way, it waits for them.
 *
 * @returns a function that ends the look-up and is told whether all that was asked for exists; null when none is left
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
