import type { Closing, EventKind, UncountedReason } from "../schema/values.ts";

/**
 * Describes a hit on a tracking URL. `reason` says why it must not count, and `closing` how a close came about where the page
 * says it; `revision`, `creative`, `place` and `arm` are those of the decision, `part` is its session's (`daily_parts`). `addressHash` stands for a customer without a session;
 * it only keeps repeats from being billed. Times are in milliseconds.
 */
export type Hit = {
  id: string;
  kind: EventKind;
  reason: UncountedReason | null;
  issuedAt: number;
  occurredAt: number;
  decisionId: string;
  placementId: string;
  offerId: string;
  revision: number;
  creative?: number | undefined;
  place: number;
  arm: string;
  part?: number | null | undefined;
  country: string;
  sessionHash: string | null;
  emailHash: string | null;
  addressHash: string | null;
  closing?: Closing | null | undefined;
};

/**
 * Describes what an advertiser reports of a click. `amountMicros` is in millionths of the currency's unit, null for a
 * lead.
 */
export type Conversion = Hit & {
  kind: "conversion";
  transactionId: string;
  amountMicros: number | null;
  currency: string | null;
};

/** Names what links a hit to its customer, as a hit without one has it. */
export const NO_CUSTOMER = { sessionHash: null, emailHash: null, addressHash: null } as const satisfies Partial<Hit>;

/** Tells a conversion from the hits of customers. */
export const isConversion = (hit: Hit | Conversion): hit is Conversion => hit.kind === "conversion";
