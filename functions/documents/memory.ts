import type { DocumentKey } from "../../db/documents/keys.ts";
import type { Stored } from "../../db/documents/types.ts";

/**
 * Holds a document in memory, with the time when it was read, in milliseconds since 1970, and about how many bytes it
 * takes.
 */
export type Entry = { document: Stored; readAt: number; bytes: number };

type Limits = { entries: number; bytes: number };

/** Returns how many bytes a text takes in memory: one per character, or two if any of them is not in Latin-1. */
export const textBytes = (text: string): number => (/[\u0100-\uffff]/.test(text) ? 2 : 1) * text.length;

/**
 * Keeps documents, within limits of entries and bytes. The one that was set longest ago is removed first; documents in
 * use are set again whenever they are read again, so they stay.
 */
class Shelf {
  readonly #entries = new Map<DocumentKey, Entry>();
  readonly #limits: Limits;
  #bytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get(key: DocumentKey): Entry | undefined {
    return this.#entries.get(key);
  }

  set(key: DocumentKey, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
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

/**
 * Keeps an isolate's own documents. Large ones have their own shelf, so that one shop's push out none of usual size,
 * however long the texts of its offers are.
 */
export class DocumentMemory {
  readonly #usual: Shelf;
  readonly #large: Shelf;
  readonly #largeFrom: number;

  /** Makes an empty memory, with limits for documents of usual size and for those of `from` bytes and more. */
  constructor({ usual, large }: { usual: Limits; large: Limits & { from: number } }) {
    this.#usual = new Shelf(usual);
    this.#large = new Shelf(large);
    this.#largeFrom = large.from;
  }

  /** Returns a document of any age. */
  get(key: DocumentKey): Entry | undefined {
    return this.#usual.get(key) ?? this.#large.get(key);
  }

  /**
   * Keeps a document in place of an older one.
   *
   * @param bytes about how many bytes the document takes
   * @param readAt milliseconds since 1970
   */
  set(key: DocumentKey, document: Stored, bytes: number, readAt: number): void {
    this.delete(key);
    const shelf = bytes < this.#largeFrom ? this.#usual : this.#large;
    shelf.set(key, { document, readAt, bytes });
  }

  /** Forgets a document. */
  delete(key: DocumentKey): void {
    this.#usual.delete(key);
    this.#large.delete(key);
  }
}

const MIB = 1024 * 1024;

/**
 * Holds the documents of this isolate, which has 128 MB for everything. Parsed and rendered they take 4.5 times as
 * much. A list of 150 offers usually has 200 KB.
 */
export const memory = new DocumentMemory({
  usual: { entries: 20_000, bytes: 10 * MIB },
  large: { from: 2 * MIB, entries: 100, bytes: 6 * MIB },
});
