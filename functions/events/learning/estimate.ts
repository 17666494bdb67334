import type { Db } from "../../../db/core/client.ts";
import { findEstimated, findSample, storeEstimates } from "../../../db/learning/estimates.ts";
import { agedClicks, arrivedByAge, DELAY_DAYS, maturityOf } from "../../decision/learning/delays.ts";
import { byPlace } from "../../decision/learning/known.ts";
import { refaded, weightOf } from "../../decision/learning/sums.ts";
import { strengthsOf } from "../../decision/learning/strength.ts";

/** Says which part of an offer's conversions has come, and how much the clicks weigh by the factors of their places. */
type Ripening = { offerId: string; maturity: number; clicked: number };

/**
 * Returns which part of all conversions has come. Offers that nobody clicked lately are not listed, and all their conversions
 * have.
 */
const maturityOfAll = (clicked: number, listed: readonly Ripening[]): number => {
  const [all, open] = listed.reduce(
    ([sum, left], each) => [sum + Math.max(0, each.clicked), left + Math.max(0, each.clicked) * (1 - each.maturity)],
    [0, 0],
  );
  return all > 0 ? 1 - open / Math.max(all, clicked) : 1;
};

/**
 * Estimates anew, each hour, how much rates tell of each other, how late conversions come, and which part of each offer's
 * has come by now. A changed half-life counts from then on.
 *
 * @param halfLife days in which evidence fades to a half
 * @returns whether it was time for it
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
  const ripening = sample.clicks.map(({ offerId, clicked, counted, recent }): Ripening => {
    const aged = recent.map(([age, clicks]) => ({ age, clicks: clicks * weightOf(day - age, fading) }));
    return { offerId, clicked, maturity: maturityOf(agedClicks(counted, aged), arrived) };
  });
  await storeEstimates(db, {
    ...(fading.halfLife === halfLife ? fading : refaded(fading, halfLife, day)),
    clickStrengths: [clickStrengths.offer, clickStrengths.cell],
    conversionStrengths: [conversionStrengths.offer, conversionStrengths.cell],
    delays: arrived,
    maturity: maturityOfAll(sample.clicked, ripening),
    maturities: ripening.map(({ offerId, maturity }) => ({ offerId, maturity })),
  });
  return true;
};
