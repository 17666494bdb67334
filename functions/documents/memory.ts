import type { DocumentKey } from "../../db/documents/keys.ts";
import type { Stored } from "../../db/documents/types.ts";

/**
 * Holds a document in memory: when it was read, in milliseconds since 1970, and about how many bytes its JSON has.
 */
export type Entry = { document: Stored; readAt: number; bytes: number };

type Limits = { entries: number; bytes: number };

/**
 * Keeps an isolate's own documents, bounded in entries and bytes. The one that was set longest ago leaves first; documents
 * in use are set again whenever they are read anew, so they stay.
 */
export class DocumentMemory {
  readonly #entries = new Map<DocumentKey, Entry>();
  readonly #limits: Limits;
  #bytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Returns a document of any age. */
  get(key: DocumentKey): Entry | undefined {
    return this.#entries.get(key);
  }

  /**
   * Keeps a document in place of an older one.
   *
   * @param bytes size of the document's JSON
   * @param readAt milliseconds since 1970
   */
  set(key: DocumentKey, document: Stored, bytes: number, readAt: number): void {
    this.delete(key);
    this.#entries.set(key, { document, readAt, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limits.entries && this.#bytes <= this.#limits.bytes) break;
      this.delete(oldest);
    }
  }

  /** Forgets a document. */
  delete(key: DocumentKey): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}

/** Holds the documents of this isolate, which has 128 MB for everything. Parsed and rendered they take 4.5 times this. */
export const memory = new DocumentMemory({ entries: 20_000, bytes: 16 * 1024 * 1024 });
