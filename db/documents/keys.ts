import { sql, type SQL } from "drizzle-orm";

/** Names a document: its kind, then what it is about. */
export type DocumentKey = `placement:${string}` | `key:${string}` | `candidates:${string}` | "network";

/** Says what a document's key names. */
export type Subject =
  | { kind: "placement"; placementId: string }
  | { kind: "key"; publicKey: string }
  | { kind: "candidates"; placementId: string; country: string }
  | { kind: "network" };

/** Spells the keys of documents. */
export const documentKey = {
  placement: (placementId: string): DocumentKey => `placement:${placementId}`,
  key: (publicKey: string): DocumentKey => `key:${publicKey}`,
  candidates: (placementId: string, country: string): DocumentKey => `candidates:${placementId}:${country}`,
  network: "network" as DocumentKey,
};

/** Spells the keys of documents in SQL, of the ids in a column. */
export const documentKeySql = {
  placement: (placementId: SQL): SQL => sql`'placement:' || ${placementId}`,
  key: (publicKey: SQL): SQL => sql`'key:' || ${publicKey}`,
  network: sql`'network'`,
};

/** Reads a key that {@link documentKey} spelled. */
export const subjectOf = (key: DocumentKey): Subject => {
  const [kind, subject = "", country = ""] = key.split(":");
  if (kind === "placement") return { kind, placementId: subject };
  if (kind === "key") return { kind, publicKey: subject };
  if (kind === "candidates") return { kind, placementId: subject, country };
  return { kind: "network" };
};

/** Tells whether a key names candidates, which anyone may build and which carry their own age. */
export const isCandidates = (key: DocumentKey): boolean => key.startsWith("candidates:");
