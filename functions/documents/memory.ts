import type { DocumentKey } from "../../db/documents/keys.ts";
import type { Stored } from "../../db/documents/types.ts";

/** A document in memory: since when it is known to be current, and about how much room it takes. */
type Entry = { document: Stored; readAt: number; bytes: number };

type Limits = { entries: number; bytes: number };

/**
 * An isolate's own tier of documents, bounded in entries and bytes. What was set longest ago leaves first; documents in
 * use are set again whenever they are read anew, so these stay.
 */
export class DocumentMemory {
  readonly #entries = new Map<DocumentKey, Entry>();
  readonly #limits: Limits;
  #bytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get(key: DocumentKey): Entry | undefined {
    return this.#entries.get(key);
  }

  /** @param bytes size of the document's JSON */
  set(key: DocumentKey, document: Stored, bytes: number, readAt: number): void {
    this.delete(key);
    this.#entries.set(key, { document, readAt, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limits.entries && this.#bytes <= this.#limits.bytes) break;
      this.delete(oldest);
    }
  }

  delete(key: DocumentKey): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}

/** The documents of this isolate, which has 128 MB for everything. Parsed and rendered they take up to 4.5 times this. */
export const memory = new DocumentMemory({ entries: 20_000, bytes: 16 * 1024 * 1024 });
