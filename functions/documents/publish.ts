import { DurableObject } from "cloudflare:workers";
import { connect } from "../../db/core/client.ts";
import type { DocumentKey } from "../../db/documents/keys.ts";
import { beginPublication, endPublication, findUnpublished } from "../../db/publishing/outbox.ts";
import { describeError } from "../core/log.ts";
import { putDocument } from "./store.ts";

/** KV takes one write a second of one key. */
const PUT_INTERVAL_MS = 1_000;

/** What one run of the cron hands over, within the platform's limit of subrequests of one invocation. */
const DRAIN_LIMIT = 500;
const DRAIN_CONCURRENCY = 20;

/**
 * The one writer of a document, named by its key. It builds and puts one at a time, so no older document can replace a
 * newer one, which KV itself could not prevent. Requests that wait share the next run.
 */
export class DocumentWriter extends DurableObject<Env> {
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;
  #lastPut = 0;

  /**
   * Publishes the document's state as of now or later.
   *
   * @throws when Postgres or KV fails; the outbox then keeps the entry for the cron
   */
  publish(key: DocumentKey): Promise<void> {
    this.#next ??= this.#afterRunning(key);
    return this.#next;
  }

  async #afterRunning(key: DocumentKey): Promise<void> {
    await this.#running.catch(() => undefined);
    await scheduler.wait(Math.max(0, this.#lastPut + PUT_INTERVAL_MS - Date.now()));
    this.#next = null;
    this.#running = this.#publishNow(key);
    return this.#running;
  }

  async #publishNow(key: DocumentKey): Promise<void> {
    const db = await connect(this.env.DATABASE_URL);
    const { document, entries } = await beginPublication(db, key);
    this.#lastPut = Date.now();
    await putDocument(this.env.DOCUMENTS, key, document);
    await endPublication(db, entries);
  }
}

/**
 * Hands documents to their writers. What fails is logged and stays in the outbox, if it was there.
 *
 * @returns how many were published
 */
export const publishDocuments = async (env: Env, keys: readonly DocumentKey[]): Promise<number> => {
  const results = await Promise.allSettled(keys.map((key) => env.DOCUMENT_WRITER.getByName(key).publish(key)));
  const failed = results.filter((result) => result.status === "rejected");
  for (const result of failed) console.error(`a document was not published: ${describeError(result.reason)}`);
  return results.length - failed.length;
};

/** Publishes what earlier requests left in the outbox, a bounded part of it at a time. */
export const drainOutbox = async (env: Env): Promise<void> => {
  const keys = await findUnpublished(await connect(env.DATABASE_URL), DRAIN_LIMIT);
  for (let i = 0; i < keys.length; i += DRAIN_CONCURRENCY) {
    await publishDocuments(env, keys.slice(i, i + DRAIN_CONCURRENCY));
  }
};
