import type { Candidate } from "../../../db/documents/types.ts";
import type { Arm } from "../../../functions/decision/arms.ts";
import type { Increase } from "../../../functions/decision/learning/fold.ts";

/** Describes an offer that is open to all customers. `candidate.serial` is its number in its world. */
export type OpenOffer = { candidate: Candidate; advertiserId: string; madeAt: number };

/** Names a placement and country. Each pair is one object, so that it can be told apart fast. */
export type Place = { placementId: string; country: string };

/** Describes a customer who comes to a place. `arm` says by which order the service serves it, where the world decides. */
export type Visit = { session: string; place: Place; now: number; count: number; arm?: Arm };

/** Says what came of clicks of a day: a conversion counts at the day of its click, and came some days later. */
export type Conversion = { offerId: string; day: number; delay: number };

/** Chooses the offers of answers, and learns from what became of them. */
export type Policy = {
  /** Returns the serials of the offers that answer a visit, in order. */
  choose: (visit: Visit, open: readonly OpenOffer[]) => readonly number[];
  /** Takes what was counted since the last time. */
  learn: (increases: readonly Increase[], conversions: readonly Conversion[], now: number) => void;
};
