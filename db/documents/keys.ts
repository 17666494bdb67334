import { sql, type SQL } from "drizzle-orm";

export type PlacementKey = `placement:${string}`;
export type PublicKeyKey = `key:${string}`;
export type CandidatesKey = `candidates:${string}`;
export type NetworkKey = "network";

/** Names a document: its kind, then what it is about. */
export type DocumentKey = PlacementKey | PublicKeyKey | CandidatesKey | NetworkKey;

/** Lists the facts of a request by which a list of candidates is narrowed, in the order in which keys have them. */
const NARROWED_BY = ["language", "currency", "paymentType", "band"] as const;

/**
 * Holds these facts: a band of amounts, and values as the request gives them. `-` stands for a fact that is not given, or
 * that no offer asks for.
 */
export type Narrowing = Record<(typeof NARROWED_BY)[number], string>;

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
    `candidates:${placementId}:${country}:${NARROWED_BY.map((name) => facts[name]).join(":")}`,
  network: "network" as NetworkKey,
};

/** Spells the keys of documents in SQL, of the ids in a column. */
export const documentKeySql = {
  placement: (placementId: SQL): SQL => sql`'placement:' || ${placementId}`,
  key: (publicKey: SQL): SQL => sql`'key:' || ${publicKey}`,
  network: sql`'network'`,
};

const narrowingFrom = (facts: readonly string[]): Narrowing =>
  Object.fromEntries(NARROWED_BY.map((name, i) => [name, facts[i] ?? ""])) as Narrowing;

/**
 * Reads a key that {@link documentKey} spelled.
 *
 * @throws {Error} for a kind that this version does not know: a newer one may have noted it in the outbox
 */
export const subjectOf = (key: DocumentKey): Subject => {
  const [of, subject = "", country = "", ...facts] = key.split(":");
  const kind = of as Subject["kind"];
  switch (kind) {
    case "placement":
      return { kind, placementId: subject };
    case "key":
      return { kind, publicKey: subject };
    case "candidates": {
      const narrowing = facts.length > 0 ? narrowingFrom(facts) : null;
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
