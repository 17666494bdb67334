import { DurableObject } from "cloudflare:workers";
import { connect } from "../../db/core/client.ts";
import type { DocumentKey } from "../../db/documents/keys.ts";
import type { Stored } from "../../db/documents/types.ts";
import { beginPublication, endPublication } from "../../db/publishing/outbox.ts";
import { within } from "../core/calls/within.ts";
import { describeError } from "../core/log.ts";
import { SPREADING_MS } from "./freshness.ts";
import { putDocument } from "./kv.ts";

/** Sets the least time between two puts, in milliseconds: KV takes one write a second of one key. */
const PUT_INTERVAL_MS = 1_000;

/**
 * Limits how long a put is waited for, in milliseconds: a lost one must not block the document for ever. Should it
 * arrive after a newer one, the document is right again once it is renewed by its age.
 */
const PUT_LIMIT_MS = 5_000;

/** Holds a document that was built, and the reason why KV refused it; null if it did not. */
type Run = { document: Stored; refusal: Error | null };

/**
 * Writes one document, whose key names the object. It builds and puts one at a time, so that no older document replaces a
 * newer one, which KV itself could not prevent. Requests that wait share the next run.
 */
export class DocumentWriter extends DurableObject<Env> {
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<Run> | null = null;
  #latest: Stored | null = null;
  /** Holds the build time of the document that the latest one replaced, if known. */
  #replaced: number | null = null;
  #lastPut = 0;

  /**
   * Publishes the document's state as of now or later.
   *
   * @returns when it was built, in milliseconds since 1970
   * @throws when Postgres or KV fails; the outbox then keeps its entry for the cron
   */
  async publish(key: DocumentKey): Promise<number> {
    const { document, refusal } = await this.#run(key);
    if (refusal !== null) throw refusal;
    return document.builtAt;
  }

  /**
   * Returns the document, as JSON, built since this call or at the given time or later. Builds and puts it, except for
   * a request that saw an older one only because the latest put has not reached it yet. The caller gets the document
   * even if KV refuses it.
   *
   * @param seen the build time of the document that the request saw, in milliseconds since 1970
   * @param notBefore milliseconds since 1970, by the database's clock
   * @throws when Postgres fails
   */
  async renew(key: DocumentKey, seen: number, notBefore: number): Promise<string> {
    const latest = this.#latest;
    const isSpreading = seen === this.#replaced && Date.now() - this.#lastPut < SPREADING_MS;
    if (latest && latest.builtAt >= notBefore && isSpreading) return JSON.stringify(latest);
    const { document, refusal } = await this.#run(key);
    if (refusal !== null) console.error(`a document was not published: ${describeError(refusal)}`);
    this.#replaced = seen;
    return JSON.stringify(document);
  }

  #run(key: DocumentKey): Promise<Run> {
    this.#next ??= this.#afterRunning(key);
    return this.#next;
  }

  async #afterRunning(key: DocumentKey): Promise<Run> {
    await this.#running.catch(() => undefined);
    await scheduler.wait(Math.max(0, this.#lastPut + PUT_INTERVAL_MS - Date.now()));
    this.#next = null;
    // The runtime logs errors that leave an object. These must not be a failed query's message, which holds its
    // parameters.
    const run = this.#buildAndPut(key).catch((error: unknown) => {
      const isQuery = error instanceof Error && error.message.startsWith("Failed query");
      throw isQuery ? new Error(describeError(error)) : error;
    });
    this.#running = run;
    return run;
  }

  async #buildAndPut(key: DocumentKey): Promise<Run> {
    const db = connect(this.env.DATABASE_URL);
    const { document, entries } = await beginPublication(db, key);
    this.#lastPut = Date.now();
    const refusal = await this.#put(key, document);
    this.#latest = document;
    if (refusal === null) await endPublication(db, entries);
    return { document, refusal };
  }

  /** Puts a document, and returns the reason why KV refused it, or null. */
  async #put(key: DocumentKey, document: Stored): Promise<Error | null> {
    try {
      if ((await within(putDocument(this.env.DOCUMENTS, key, document), PUT_LIMIT_MS)) !== null) return null;
      return new Error(`KV did not take the document within ${PUT_LIMIT_MS / 1_000} seconds`);
    } catch (error) {
      return new Error(describeError(error));
    }
  }
}
