import type { Db } from "../../../db/core/client.ts";
import { findUnjudged, storeJudged } from "../../../db/learning/shifts.ts";
import { SHIFT_DAYS, SHIFT_KEPT, shiftOf } from "../../decision/learning/shifts.ts";
import type { Reserve } from "../../core/calls/lease.ts";

/** Limits how many offers are judged at a time. */
const OFFERS = 1_000;

/**
 * Judges once a day whether the click rates of offers have shifted. Then what is known of such an offer counts for
 * less.
 */
export const judge = async (db: Db, reserve: Reserve): Promise<void> => {
  for (let count = OFFERS; count === OFFERS && reserve(2);) {
    const offers = await findUnjudged(db, SHIFT_DAYS, OFFERS);
    count = offers.length;
    if (count === 0) return;
    await storeJudged(
      db,
      offers.map(({ offerId, creative, clicks, days }) => ({ offerId, creative, ratio: shiftOf(clicks, days) })),
      SHIFT_KEPT,
    );
  }
};
