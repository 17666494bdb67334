import type { Candidate } from "../../../db/documents/types.ts";
import { SAMPLE_OFFERS } from "../../../functions/decision/samples.ts";
import type { OpenOffer } from "./policy.ts";

/** Describes an offer as its advertiser makes it. `guess` is the rate by which an order that learns nothing values it. */
export type Made = Pick<Candidate, "id" | "serial" | "pricing" | "valueMicros"> & {
  advertiser: number;
  madeAt: number;
  guess: number;
};

/** Returns an offer that asks nothing of customers, as documents have it. */
export const openOffer = ({ advertiser, madeAt, guess, ...more }: Made): OpenOffer => ({
  candidate: {
    ...(SAMPLE_OFFERS[0] as Candidate),
    ...more,
    advertiserSerial: advertiser,
    ecpmMicros: more.pricing === "CPM" ? more.valueMicros : 1_000 * more.valueMicros * guess,
  },
  advertiserId: `adv_${advertiser}`,
  madeAt,
});
