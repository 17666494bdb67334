import type { DocumentKey } from "../../db/documents/keys.ts";
import type { Stored } from "../../db/documents/types.ts";
import { describeError } from "../core/log.ts";
import { DAY_SECONDS } from "../core/time.ts";

/** Raised when a document's shape changes, so that no isolate reads what another version wrote. */
const SCHEMA_VERSION = "v1";

/** How long a location may answer from its own copy; the least that KV allows. */
const CACHE_TTL_SECONDS = 30;

/** Candidates are remade long before; of what is gone, a day's memory is enough. */
const SHORT_LIVED_SECONDS = DAY_SECONDS;

/** What is found while KV fails: nothing, which says nothing of what it holds. */
export const UNREADABLE: Map<DocumentKey, Stored> = new Map();

/** Returns the name under which KV holds a document. */
export const storedName = (key: DocumentKey): string => `${SCHEMA_VERSION}:${key}`;

const parse = (text: string | null): Stored | null => {
  if (text === null) return null;
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document === "object" && document !== null && "builtAt" in document && "value" in document) {
      return document as Stored;
    }
  } catch {
    // Falls through: what cannot be read is as good as missing, and is written anew.
  }
  console.error("a document in KV is corrupt and is made anew");
  return null;
};

/** The documents that KV holds of those asked for, in one read; {@link UNREADABLE} while it fails. */
export const readStored = async (kv: KVNamespace, keys: DocumentKey[]): Promise<Map<DocumentKey, Stored>> => {
  try {
    const texts = await kv.get(keys.map(storedName), { type: "text", cacheTtl: CACHE_TTL_SECONDS });
    const found = keys.map((key) => [key, parse(texts.get(storedName(key)) ?? null)] as const);
    return new Map(found.filter((entry): entry is [DocumentKey, Stored] => entry[1] !== null));
  } catch (error) {
    console.warn(`KV cannot be read: ${describeError(error)}`);
    return UNREADABLE;
  }
};

/**
 * Writes a document.
 *
 * @throws when KV refuses, which it also does to more than one write a second of one key
 */
export const putDocument = async (kv: KVNamespace, key: DocumentKey, document: Stored): Promise<void> => {
  const shortLived = document.value === null || key.startsWith("candidates:");
  await kv.put(storedName(key), JSON.stringify(document), shortLived ? { expirationTtl: SHORT_LIVED_SECONDS } : {});
};
