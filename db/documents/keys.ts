import { sql, type SQL } from "drizzle-orm";

export type PlacementKey = `placement:${string}`;
export type PublicKeyKey = `key:${string}`;
export type CandidatesKey = `candidates:${string}`;
export type NetworkKey = "network";

/** Names a document: its kind, then what it is about. */
export type DocumentKey = PlacementKey | PublicKeyKey | CandidatesKey | NetworkKey;

/**
 * Holds the facts of a request by which a list of candidates is narrowed: a band of amounts, and values as the request
 * gives them. `-` stands for a fact that is not given, or that no offer asks for.
 */
export type Narrowing = { language: string; currency: string; paymentType: string; band: string };

/** Says what a document's key names. */
export type Subject =
  | { kind: "placement"; placementId: string }
  | { kind: "key"; publicKey: string }
  | { kind: "candidates"; placementId: string; country: string; narrowing: Narrowing | null }
  | { kind: "network" };

/** Spells the keys of documents. */
export const documentKey = {
  placement: (placementId: string): PlacementKey => `placement:${placementId}`,
  key: (publicKey: string): PublicKeyKey => `key:${publicKey}`,
  candidates: (placementId: string, country: string): CandidatesKey => `candidates:${placementId}:${country}`,
  narrow: (placementId: string, country: string, facts: Narrowing): CandidatesKey =>
    `candidates:${placementId}:${country}:${facts.language}:${facts.currency}:${facts.paymentType}:${facts.band}`,
  network: "network" as NetworkKey,
};

/** Spells the keys of documents in SQL, of the ids in a column. */
export const documentKeySql = {
  placement: (placementId: SQL): SQL => sql`'placement:' || ${placementId}`,
  key: (publicKey: SQL): SQL => sql`'key:' || ${publicKey}`,
  network: sql`'network'`,
};

/**
 * Reads a key that {@link documentKey} spelled.
 *
 * @throws {Error} for a kind that this version does not know: a newer one may have noted it in the outbox
 */
export const subjectOf = (key: DocumentKey): Subject => {
  const [of, subject = "", country = "", language, currency = "", paymentType = "", band = ""] = key.split(":");
  const kind = of as Subject["kind"];
  switch (kind) {
    case "placement":
      return { kind, placementId: subject };
    case "key":
      return { kind, publicKey: subject };
    case "candidates": {
      const narrowing = language === undefined ? null : { language, currency, paymentType, band };
      return { kind, placementId: subject, country, narrowing };
    }
    case "network":
      return { kind };
    default:
      throw new Error(`no kind of document: ${String(kind satisfies never)}`);
  }
};

/** Tells whether a key names candidates, which anyone may build and which carry their own age. */
export const isCandidates = (key: DocumentKey): boolean => key.startsWith("candidates:");
