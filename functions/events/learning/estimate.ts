import type { Db } from "../../../db/core/client.ts";
import { findEstimated, findSample, storeEstimates } from "../../../db/learning/estimates.ts";
import { agedClicks, arrivedByAge, DELAY_DAYS, maturityOf } from "../../decision/learning/delays.ts";
import { byPlace } from "../../decision/learning/known.ts";
import { refaded, weightOf } from "../../decision/learning/sums.ts";
import { strengthsOf } from "../../decision/learning/strength.ts";

/** Holds the part of an offer's conversions that has come, and its clicks, weighted by the factors of their places. */
type Ripening = { offerId: string; creative: number; maturity: number; clicked: number };

/**
 * Returns the part of all conversions that has come. Offers that nobody clicked lately are not listed: all of theirs
 * have come.
 */
const maturityOfAll = (clicked: number, listed: readonly Ripening[]): number => {
  const [all, open] = listed.reduce(
    ([sum, left], each) => [sum + Math.max(0, each.clicked), left + Math.max(0, each.clicked) * (1 - each.maturity)],
    [0, 0],
  );
  return all > 0 ? 1 - open / Math.max(all, clicked) : 1;
};

/**
 * Estimates each hour how much rates tell about each other, how late conversions come, and which part of each offer's
 * conversions has come by now. A changed half-life takes effect then.
 *
 * @param halfLife the days in which evidence fades to a half
 * @returns whether it was time to estimate
 */
export const estimate = async (db: Db, halfLife: number): Promise<boolean> => {
  const { isDue, day, ...fading } = await findEstimated(db);
  if (!isDue && fading.halfLife === halfLife) return false;
  const sample = await findSample(db, DELAY_DAYS);
  const [clickStrengths, conversionStrengths] = strengthsOf(
    { ...sample, places: byPlace(sample.places) },
    weightOf(day, fading),
  );
  const arrived = arrivedByAge(sample.delays);
  const ripening = sample.clicks.map(({ offerId, creative, clicked, counted, recent }): Ripening => {
    const aged = recent.map(([age, clicks]) => ({ age, clicks: clicks * weightOf(day - age, fading) }));
    return { offerId, creative, clicked, maturity: maturityOf(agedClicks(counted, aged), arrived) };
  });
  await storeEstimates(db, {
    ...(fading.halfLife === halfLife ? fading : refaded(fading, halfLife, day)),
    clickStrengths: [clickStrengths.offer, clickStrengths.cell],
    conversionStrengths: [conversionStrengths.offer, conversionStrengths.cell],
    delays: arrived,
    maturity: maturityOfAll(sample.clicked, ripening),
    maturities: ripening.map(({ offerId, creative, maturity }) => ({ offerId, creative, maturity })),
  });
  return true;
};
