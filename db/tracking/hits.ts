import type { Closing, EventKind, UncountedReason } from "../schema/values.ts";

/**
 * Describes a hit on a tracking URL. `reason` says why it must not count, and `closing` how a close came about, if the
 * page says so; `revision`, `creative`, `place` and `arm` are those of the decision, `part` is that of its session
 * (`daily_parts`). `addressHash` stands for a customer without a session; it serves only to keep repeats from being
 * billed. Times are in milliseconds.
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
 * Describes what an advertiser reports about a click. `amountMicros` is in millionths of the currency's unit, null for
 * a lead.
 */
export type Conversion = Hit & {
  kind: "conversion";
  transactionId: string;
  amountMicros: number | null;
  currency: string | null;
};

/** Holds the members that link a hit to its customer, empty as in a hit without one. */
export const NO_CUSTOMER = { sessionHash: null, emailHash: null, addressHash: null } as const satisfies Partial<Hit>;

/** Tells a conversion from the hits of customers. */
export const isConversion = (hit: Hit | Conversion): hit is Conversion => hit.kind === "conversion";
