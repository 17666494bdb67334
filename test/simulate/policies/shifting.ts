import type { Fading, OfferDay, RateSums } from "../../../db/learning/sums.ts";
import type { Rates } from "../../../functions/decision/learning/known.ts";
import { SHIFT_DAYS, shiftOf } from "../../../functions/decision/learning/shifts.ts";
import { minus, NO_SUMS } from "../../../functions/decision/learning/sums.ts";

/** Looks for shifts as the cron does, in maps in place of tables. */
export const createShifting = (fading: Fading) => {
  const offers = new Map<string, OfferDay[]>();
  return {
    /** Adds what was counted on days. */
    add: (days: readonly OfferDay[]): void => {
      for (const day of days) {
        const all = offers.get(day.offerId) ?? [];
        offers.set(day.offerId, all);
        const known = all.find((one) => one.day === day.day);
        if (known) {
          known.taught += day.taught;
          known.exposure += day.exposure;
        } else all.push({ ...day });
      }
    },
    /** Lets what came before a shift count for less, as `storeJudged` does. */
    judge: (rates: Rates, owners: ReadonlyMap<string, string>, today: number): void => {
      for (const [id, days] of offers) {
        const recent = days.filter(({ day }) => day > today - SHIFT_DAYS);
        offers.set(id, recent);
        const all = rates.offers.get(id);
        if (!all || !recent.some(({ exposure }) => exposure > 0)) continue;
        const shift = shiftOf(all, recent, today, fading);
        if (!shift) continue;
        offers.set(
          id,
          recent.filter(({ day }) => day >= shift.since),
        );
        const lost: RateSums = {
          ...NO_SUMS,
          clicks: all.clicks * (1 - shift.clicks),
          exposure: all.exposure * (1 - shift.exposure),
        };
        rates.offers.set(id, minus(all, lost));
        const advertiser = owners.get(id) ?? "";
        rates.advertisers.set(advertiser, minus(rates.advertisers.get(advertiser) ?? lost, lost));
        for (const countries of rates.cells.values()) {
          for (const cells of countries.values()) {
            const cell = cells.get(id);
            if (!cell) continue;
            cells.set(id, {
              ...cell,
              clicks: cell.clicks * shift.clicks,
              exposure: cell.exposure * shift.exposure,
              anywhere: cell.anywhere * shift.exposure,
            });
          }
        }
      }
    },
  };
};
