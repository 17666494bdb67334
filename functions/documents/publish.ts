import { connect } from "../../db/core/client.ts";
import type { Writing } from "../../db/core/writing/writing.ts";
import type { DocumentKey } from "../../db/documents/keys.ts";
import type { Changed } from "../../db/documents/outdate.ts";
import { findUnpublished, type Unpublished } from "../../db/publishing/outbox.ts";
import type { Duty } from "../core/calls/lease.ts";
import { describeError } from "../core/log.ts";
import { within } from "../core/calls/within.ts";
import { latestChange, noteChanges, notePublished } from "./changes.ts";

/** Limits how many documents the cron hands over in a chunk. */
const CHUNK = 99;

/** Limits how many documents are published at the same time. */
const CONCURRENCY = 20;

/** Limits how long a writer is waited for, in milliseconds: longer than its own limits together. */
const LIMIT_MS = 40_000;

const publish = async (env: Env, key: DocumentKey): Promise<void> => {
  try {
    const asOf = latestChange();
    const builtAt = await within(env.DOCUMENT_WRITER.getByName(key).publish(key), LIMIT_MS);
    if (builtAt === null) throw new Error(`its writer did not answer within ${LIMIT_MS / 1_000} seconds`);
    notePublished(key, builtAt, asOf);
  } catch (error) {
    console.error(`a document was not published: ${describeError(error)}`);
  }
};

/**
 * Hands documents to their writers, a bounded number at a time: when one is done, the next begins, so that a slow one
 * holds up no others. A failure is logged, and the document's entry stays in the outbox for the cron.
 */
export const publishDocuments = async (env: Env, keys: readonly DocumentKey[]): Promise<void> => {
  // All lines take from one iterator, so each document is handed over once.
  const waiting = keys.values();
  const line = async (): Promise<void> => {
    for (const key of waiting) await publish(env, key);
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, keys.length) }, line));
};

/** Publishes what earlier requests left in the outbox, longest waiting first. A failure holds up nothing else. */
export const drainOutbox: Duty = async (env, reserve) => {
  const db = connect(env.DATABASE_URL);
  for (let after: number | null = 0; after !== null && reserve(1);) {
    const { keys, next }: Unpublished = await findUnpublished(db, CHUNK, after);
    if (!reserve(keys.length)) return;
    await publishDocuments(env, keys);
    after = next;
  }
};

/** Holds the part of a request's context that publishing needs. */
type Context = { env: Env; executionCtx: Pick<ExecutionContext, "waitUntil"> };

/**
 * Publishes what a change outdated, behind the answer, and makes the isolate's next request see the new state. A dry
 * run has nothing to publish.
 */
export const announce = <Value>(
  c: Context & { var: { writing: Writing } },
  { value, outdated, built }: Changed<Value>,
): Value => {
  if (outdated.length === 0 || c.var.writing.isDry) return value;
  noteChanges(outdated, built ?? new Map());
  c.executionCtx.waitUntil(publishDocuments(c.env, outdated));
  return value;
};

/**
 * Publishes what counting outdated, behind the answer. This isolate sees it only when all others do: no customer waits
 * for what an advertiser reported.
 */
export const publishCounted = <Value>(c: Context, { value, outdated }: Changed<Value>): Value => {
  if (outdated.length > 0) c.executionCtx.waitUntil(publishDocuments(c.env, outdated));
  return value;
};
