import type { Compared, OfferDay, RateSums } from "../../../db/learning/sums.ts";
import type { Rates } from "../../../functions/decision/learning/known.ts";
import { SHIFT_DAYS, SHIFT_KEPT, shiftOf } from "../../../functions/decision/learning/shifts.ts";
import { faded, minus } from "../../../functions/decision/learning/sums.ts";

const NONE: Compared = { taught: 0, expected: 0 };

const plus = (a: Compared, b: Compared): Compared => ({
  taught: a.taught + b.taught,
  expected: a.expected + b.expected,
});

/** Returns what is left of sums when only a part of them counts on. */
const keptOf = (sums: RateSums): RateSums => faded(sums, 1 / SHIFT_KEPT);

/** Lets what is known of an offer count for less, as `storeJudged` does. */
const lower = (rates: Rates, offerId: string, advertiserId: string, all: RateSums): void => {
  const kept = keptOf(all);
  rates.offers.set(offerId, kept);
  rates.advertisers.set(advertiserId, minus(rates.advertisers.get(advertiserId) ?? all, minus(all, kept)));
  for (const countries of rates.cells.values()) {
    for (const cells of countries.values()) {
      const cell = cells.get(offerId);
      if (cell) cells.set(offerId, { ...keptOf(cell), anywhere: cell.anywhere * SHIFT_KEPT });
    }
  }
};

/** Looks for shifts as the cron does, in maps in place of tables. */
export const createShifting = () => {
  const offers = new Map<string, Map<number, Compared>>();
  return {
    /** Adds what was counted on days. */
    add: (counted: readonly OfferDay[]): void => {
      for (const { offerId, day, ...clicks } of counted) {
        const days = offers.get(offerId) ?? new Map<number, Compared>();
        offers.set(offerId, days.set(day, plus(days.get(day) ?? NONE, clicks)));
      }
    },
    /**
     * Judges all offers, the last of a day.
     *
     * @param today days since 1970
     * @param weight the weight of today
     */
    judge: (rates: Rates, owners: ReadonlyMap<string, string>, today: number, weight: number): void => {
      const all = new Map<number, Compared>();
      for (const days of offers.values()) {
        for (const [day, clicks] of days) {
          if (day > today - SHIFT_DAYS) all.set(day, plus(all.get(day) ?? NONE, clicks));
          else days.delete(day);
        }
      }
      for (const [offerId, days] of offers) {
        const sums = rates.offers.get(offerId);
        const recent = [...days].map(([day, { taught, expected }]) => ({
          taught,
          expected,
          all: all.get(day) ?? NONE,
        }));
        if (!sums || shiftOf(sums.clicks / weight, recent) === null) continue;
        lower(rates, offerId, owners.get(offerId) ?? "", sums);
        days.clear();
      }
    },
  };
};
