import type { Db } from "../../db/core/client.ts";
import { findEstimated, findSample, storeEstimates, type Sample } from "../../db/learning/estimates.ts";
import { arrivedByAge, DELAY_DAYS, maturityOf, type Aged } from "../decision/learning/delays.ts";
import { byPlace } from "../decision/learning/known.ts";
import { refaded, weightOf } from "../decision/learning/sums.ts";
import { strengthsOf } from "../decision/learning/strength.ts";

/** Lists clicks by their age; those that are older than conversions are waited for count as one. */
const agedClicks = ({ clicked, recent }: Sample["clicks"][number], weightAt: (age: number) => number): Aged[] => {
  const aged = recent.map(([age, clicks]): Aged => ({ age, clicks: clicks * weightAt(age) }));
  const late = aged.reduce((sum, { clicks }) => sum + clicks, 0);
  return [...aged, { age: DELAY_DAYS, clicks: Math.max(0, clicked - late) }];
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
  const clicks = sample.clicks.map((each) => ({
    offerId: each.offerId,
    aged: agedClicks(each, (age) => weightOf(day - age, fading)),
  }));
  await storeEstimates(db, {
    ...(fading.halfLife === halfLife ? fading : refaded(fading, halfLife, day)),
    clickStrengths: [clickStrengths.offer, clickStrengths.cell],
    conversionStrengths: [conversionStrengths.offer, conversionStrengths.cell],
    delays: arrived,
    maturity: maturityOf(
      clicks.flatMap(({ aged }) => aged),
      arrived,
    ),
    maturities: clicks.map(({ offerId, aged }) => ({ offerId, maturity: maturityOf(aged, arrived) })),
  });
  return true;
};
