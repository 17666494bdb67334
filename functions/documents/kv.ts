import type { DocumentKey } from "../../db/documents/keys.ts";
import type { Stored } from "../../db/documents/types.ts";
import { describeError } from "../core/log.ts";
import { DAY_SECONDS } from "../../db/core/time.ts";

/** Changes with the shape of documents, so that no isolate reads what another version wrote. */
const SCHEMA_VERSION = "v2";

/** Sets how long a location may answer from its own copy: the least that KV allows. */
const CACHE_TTL_SECONDS = 30;

/**
 * Sets how long a document stays after it was put. Those in use are renewed long before, by their age (`freshness.ts`); so
 * what was deleted or is no longer asked for leaves nothing behind.
 */
const LIFETIME_SECONDS = DAY_SECONDS;

/** Stands for the result while KV fails: it is empty, but does not tell what KV holds. */
export const UNREADABLE: Map<DocumentKey, Stored> = new Map();

/** Returns the name under which KV holds a document. */
export const storedName = (key: DocumentKey): string => `${SCHEMA_VERSION}:${key}`;

/** Holds the length of the text that each document was read from, in characters. */
const lengths = new WeakMap<Stored, number>();

/** Tells whether a text is the one that a known document was read from: of the same build, and of the same length. */
const isTextOf = (known: Stored, text: string): boolean =>
  lengths.get(known) === text.length && text.startsWith(`{"builtAt":${known.builtAt},`);

/**
 * Reads the text of a document.
 *
 * @param known the same document as read before, which is returned if the text is the same: most documents are read
 *   many times between two builds, and what was made of them for decisions and answers can be used again
 * @returns null for no text, or for one that is not a document
 */
export const parseDocument = (text: string | null, known?: Stored): Stored | null => {
  if (text === null) return null;
  if (known && isTextOf(known, text)) return known;
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document === "object" && document !== null && "builtAt" in document && "value" in document) {
      const stored = document as Stored;
      lengths.set(stored, text.length);
      return stored;
    }
  } catch {
    // A document that cannot be read counts as missing, and is built and written again.
  }
  console.error("a document in KV is corrupt; it is rebuilt");
  return null;
};

/**
 * Reads those documents that KV holds, with one bulk read.
 *
 * @param knownOf finds a document as read before, for {@link parseDocument}
 * @returns {@link UNREADABLE} while KV fails
 */
export const readStored = async (
  kv: KVNamespace,
  keys: DocumentKey[],
  knownOf: (key: DocumentKey) => Stored | undefined,
): Promise<Map<DocumentKey, Stored>> => {
  try {
    const texts = await kv.get(keys.map(storedName), { type: "text", cacheTtl: CACHE_TTL_SECONDS });
    const found = keys.map((key) => [key, parseDocument(texts.get(storedName(key)) ?? null, knownOf(key))] as const);
    return new Map(found.filter((entry): entry is [DocumentKey, Stored] => entry[1] !== null));
  } catch (error) {
    console.warn(`KV cannot be read: ${describeError(error)}`);
    return UNREADABLE;
  }
};

/**
 * Writes a document.
 *
 * @throws when KV refuses, as it does for more than one write of a key in a second
 */
export const putDocument = async (kv: KVNamespace, key: DocumentKey, document: Stored): Promise<void> => {
  await kv.put(storedName(key), JSON.stringify(document), { expirationTtl: LIFETIME_SECONDS });
};
