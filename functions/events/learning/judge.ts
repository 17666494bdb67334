import type { Db } from "../../../db/core/client.ts";
import { findUnjudged, storeJudged } from "../../../db/learning/shifts.ts";
import { SHIFT_DAYS, shiftOf, type Shift } from "../../decision/learning/shifts.ts";
import type { Reserve } from "../../core/calls/lease.ts";

/** Limits how many offers are judged at a time. */
const OFFERS = 1_000;

/** Lets all that is known of an offer count on. */
const NO_SHIFT: Shift = { since: 0, clicks: 1, exposure: 1 };

/** Looks, once a day for each offer, whether its click rate has shifted: what came before counts for less then. */
export const judge = async (db: Db, reserve: Reserve): Promise<void> => {
  for (let count = OFFERS; count === OFFERS && reserve(2);) {
    const { offers, today, ...fading } = await findUnjudged(db, SHIFT_DAYS, OFFERS);
    count = offers.length;
    if (count === 0) return;
    await storeJudged(
      db,
      offers.map(({ offerId, creative, days, ...all }) => {
        const { since, clicks, exposure } = shiftOf(all, days, today, fading) ?? NO_SHIFT;
        return { offerId, creative, since, clicks, exposure };
      }),
    );
  }
};
