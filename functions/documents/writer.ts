import { DurableObject } from "cloudflare:workers";
import { connect } from "../../db/core/client.ts";
import type { DocumentKey } from "../../db/documents/keys.ts";
import type { Stored } from "../../db/documents/types.ts";
import { beginPublication, endPublication } from "../../db/publishing/outbox.ts";
import { within } from "../core/calls/within.ts";
import { describeError } from "../core/log.ts";
import { putDocument } from "./kv.ts";

/** Sets the least time between two puts, in milliseconds: KV takes one write a second of one key. */
const PUT_INTERVAL_MS = 1_000;

/**
 * Limits how long a put is waited for, in milliseconds: one that is lost must not keep the document as it is for ever. Should
 * it arrive behind a newer one after all, the document is right again when it is renewed by its age.
 */
const PUT_LIMIT_MS = 5_000;

/** Sets for how long a put may still be on its way to a location, in milliseconds; later it counts as lost. */
const SPREADING_MS = 120_000;

/**
 * Writes one document, whose key names the object. It builds and puts one at a time, so that no older document replaces a
 * newer one, which KV itself could not prevent. Requests that wait share the next run.
 */
export class DocumentWriter extends DurableObject<Env> {
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<Stored> | null = null;
  #latest: Stored | null = null;
  /** Tells when the document was built that the latest one replaced, as far as that is known. */
  #replaced: number | null = null;
  #lastPut = 0;

  /**
   * Publishes the document's state as of now or later.
   *
   * @returns when it was built, in milliseconds since 1970
   * @throws when Postgres or KV fails; the outbox then keeps its entry for the cron
   */
  async publish(key: DocumentKey): Promise<number> {
    return (await this.#run(key)).builtAt;
  }

  /**
   * Returns the document, as JSON, built since this call or at the given time or later. Builds and puts it, but not for a
   * request that only saw what the latest put has not reached yet.
   *
   * @param seen when the document was built that the request saw, in milliseconds since 1970
   * @param notBefore milliseconds since 1970, by the database's clock
   * @throws when Postgres or KV fails
   */
  async renew(key: DocumentKey, seen: number, notBefore: number): Promise<string> {
    const latest = this.#latest;
    const isSpreading = seen === this.#replaced && Date.now() - this.#lastPut < SPREADING_MS;
    if (latest && latest.builtAt >= notBefore && isSpreading) return JSON.stringify(latest);
    const renewed = await this.#run(key);
    this.#replaced = seen;
    return JSON.stringify(renewed);
  }

  #run(key: DocumentKey): Promise<Stored> {
    this.#next ??= this.#afterRunning(key);
    return this.#next;
  }

  async #afterRunning(key: DocumentKey): Promise<Stored> {
    await this.#running.catch(() => undefined);
    await scheduler.wait(Math.max(0, this.#lastPut + PUT_INTERVAL_MS - Date.now()));
    this.#next = null;
    // The runtime logs what leaves an object: that must not be a failed query's message, which holds its parameters.
    const run = this.#buildAndPut(key).catch((error: unknown) => {
      const isQuery = error instanceof Error && error.message.startsWith("Failed query");
      throw isQuery ? new Error(describeError(error)) : error;
    });
    this.#running = run;
    return run;
  }

  async #buildAndPut(key: DocumentKey): Promise<Stored> {
    const db = connect(this.env.DATABASE_URL);
    const { document, entries } = await beginPublication(db, key);
    this.#lastPut = Date.now();
    if ((await within(putDocument(this.env.DOCUMENTS, key, document), PUT_LIMIT_MS)) === null) {
      throw new Error(`KV did not take the document within ${PUT_LIMIT_MS / 1_000} seconds`);
    }
    this.#latest = document;
    await endPublication(db, entries);
    return document;
  }
}
