import type { Candidate, NetworkDocument } from "../../db/documents/types.ts";
import { ARMS, type Arm } from "../../functions/decision/arms.ts";
import type { Candidates } from "../../functions/decision/columns.ts";
import type { DecisionRequest } from "../../functions/decision/eligibility.ts";
import { decide as decideFrom } from "../../functions/decision/order.ts";
import { NOW, OPEN_OFFER } from "./documents/arbitrary-decisions.ts";
import { networkDocument } from "./documents/documents.ts";

/** Holds a network in which nothing changed. */
export const network = networkDocument();

/** Holds a request for four offers that says nothing else. */
export const plain: DecisionRequest = { count: 4, session: "s", arm: ARMS.learned, now: NOW };

/** Decides on candidates about which nothing was learned. */
export const decide = (offers: readonly Candidate[], changes: NetworkDocument | null, request: DecisionRequest) =>
  decideFrom({ offers: [...offers] }, changes, request);

/** Lists the ids of offers. */
export const ids = (offers: readonly Candidate[]) => offers.map(({ id }) => id);

/** Makes an offer that is paid for by the click, and of which only the price is known. */
export const offer = (id: string, ecpmMicros: number, more: Partial<Candidate> = {}): Candidate => ({
  ...OPEN_OFFER,
  id: `ofr_${id}`,
  advertiserSerial: 1_000 + id.charCodeAt(0),
  pricing: "CPC",
  ecpmMicros,
  valueMicros: ecpmMicros / 20,
  ...more,
});

const SESSIONS = 12_000;

/** Returns the share of sessions in which each offer comes first. */
export const firsts = (candidates: Candidates, session: (i: number) => string, arm: Arm = ARMS.learned) => {
  const counts = new Map(candidates.offers.map(({ id }) => [id, 0]));
  for (let i = 0; i < SESSIONS; i++) {
    const [first] = decideFrom(candidates, network, { ...plain, arm, session: session(i), count: 1 });
    counts.set(first?.id ?? "", (counts.get(first?.id ?? "") ?? 0) + 1);
  }
  return candidates.offers.map(({ id }) => (counts.get(id) ?? 0) / SESSIONS);
};

/** Returns the greatest difference between shares and those expected. */
export const strayOf = (shares: readonly number[], expected: readonly number[]): number =>
  Math.max(...expected.map((share, i) => Math.abs((shares[i] ?? 0) - share)));

/** Returns rates that say how many of a thousand impressions were clicked, in this place and over all places. */
export const seen = (clicks: number) => [0.02, clicks, 1_000, clicks, 1_000];
