import { connect } from "../../db/core/client.ts";
import type { DocumentKey } from "../../db/documents/keys.ts";
import type { Changed } from "../../db/documents/outdate.ts";
import { findUnpublished } from "../../db/publishing/outbox.ts";
import type { Duty } from "../core/lease.ts";
import { describeError } from "../core/log.ts";
import { noteChanges } from "./changes.ts";

/** Limits what the cron hands over in a chunk. */
const CHUNK = 99;

/** Limits how many documents are published at the same time. */
const CONCURRENCY = 20;

const publishTogether = async (env: Env, keys: readonly DocumentKey[]): Promise<void> => {
  const results = await Promise.allSettled(keys.map((key) => env.DOCUMENT_WRITER.getByName(key).publish(key)));
  for (const result of results) {
    if (result.status === "rejected") console.error(`a document was not published: ${describeError(result.reason)}`);
  }
};

/**
 * Hands documents to their writers, a bounded number at a time. A failure is logged, and the document's entry stays in
 * the outbox for the cron.
 */
export const publishDocuments = async (env: Env, keys: readonly DocumentKey[]): Promise<void> => {
  for (let i = 0; i < keys.length; i += CONCURRENCY) await publishTogether(env, keys.slice(i, i + CONCURRENCY));
};

/** Publishes what earlier requests left in the outbox, longest waiting first. What fails holds up nothing behind it. */
export const drainOutbox: Duty = async (env, reserve) => {
  const db = await connect(env.DATABASE_URL);
  for (let after = 0, found = CHUNK; found === CHUNK && reserve(CHUNK + 1);) {
    const waiting = await findUnpublished(db, CHUNK, after);
    await publishDocuments(
      env,
      waiting.map(({ key }) => key),
    );
    found = waiting.length;
    after = waiting.at(-1)?.since ?? after;
  }
};

/** Holds what of a request's context publishing needs. */
type Context = { env: Env; executionCtx: Pick<ExecutionContext, "waitUntil"> };

/** Publishes what a change outdated, behind the answer, and makes the isolate's next request see the new state. */
export const announce = <Value>(c: Context, { value, outdated, built }: Changed<Value>): Value => {
  if (outdated.length === 0) return value;
  noteChanges(outdated, built ?? new Map());
  c.executionCtx.waitUntil(publishDocuments(c.env, outdated));
  return value;
};

/**
 * Publishes what counting outdated, behind the answer. This isolate sees it when all others do: no customer waits for what
 * an advertiser reported.
 */
export const publishCounted = <Value>(c: Context, { value, outdated }: Changed<Value>): Value => {
  if (outdated.length > 0) c.executionCtx.waitUntil(publishDocuments(c.env, outdated));
  return value;
};
