import { documentKey, type DocumentKey } from "../../../db/documents/keys.ts";
import { storedName } from "../../../functions/documents/kv.ts";
import type { Harness } from "../harness.ts";

/**
 * Holds a document as KV does: the time at which it was built, in milliseconds, and its value, null for a tombstone.
 */
export type StoredDocument = { builtAt: number; value: Record<string, unknown> | null };

/** Reads the text of a document in KV; null where KV has none. */
export const storedText = async (h: Harness, key: DocumentKey): Promise<string | null> =>
  (await h.env()).DOCUMENTS.get(storedName(key));

/** Reads a document in KV; null where KV has none. */
export const storedDocument = async (h: Harness, key: DocumentKey): Promise<StoredDocument | null> =>
  JSON.parse((await storedText(h, key)) ?? "null") as StoredDocument | null;

/** Puts a document into KV, or a text in its place. */
export const putStored = async (h: Harness, key: DocumentKey, document: object | string): Promise<void> => {
  const text = typeof document === "string" ? document : JSON.stringify(document);
  await (await h.env()).DOCUMENTS.put(storedName(key), text);
};

/** Tells whether the network's document in KV lists a change that withholds an offer. */
export const isWithheld = async (h: Harness, offerId: string): Promise<boolean> => {
  const [row] = await h.rows<{ serial: number }>("select serial from offers where id = $1", [offerId]);
  const network = (await storedDocument(h, documentKey.network)) as { value: { offers: number[][] } } | null;
  return network?.value.offers.some(([, ...serials]) => serials.includes(row?.serial ?? 0)) ?? false;
};

/** Deletes a document from KV. */
export const deleteStored = async (h: Harness, key: DocumentKey): Promise<void> =>
  (await h.env()).DOCUMENTS.delete(storedName(key));

/** Waits until KV holds documents. */
export const untilStored = async (h: Harness, keys: readonly DocumentKey[]): Promise<void> => {
  await h.until(
    () => Promise.all(keys.map((key) => storedText(h, key))),
    (texts) => texts.every((text) => text !== null),
  );
};

/** Lists the keys of the documents that an answer to a customer in a country is made from. */
export const keysOf = (publicKey: string, placementId: string, country = "US"): DocumentKey[] => [
  documentKey.network,
  documentKey.key(publicKey),
  documentKey.placement(placementId),
  documentKey.candidates(placementId, country),
];
