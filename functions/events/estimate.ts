import type { Db } from "../../db/core/client.ts";
import { findEstimated, findSample, storeEstimates, type Sample } from "../../db/learning/estimates.ts";
import { arrivedByAge, DELAY_DAYS, maturityOf, type Aged } from "../decision/learning/delays.ts";
import { byPlace } from "../decision/learning/known.ts";
import { refaded, weightOf } from "../decision/learning/sums.ts";
import { strengthsOf } from "../decision/learning/strength.ts";

/**
 * Lists clicks by their age, the newest first; those that are older than conversions are waited for count as one. Clicks from
 * before an offer was paid for by conversions are no part of `clicked`, and so of the list.
 */
const agedClicks = ({ clicked, recent }: Sample["clicks"][number], weightAt: (age: number) => number): Aged[] => {
  let left = Math.max(0, clicked);
  const aged = recent
    .toSorted(([a], [b]) => a - b)
    .map(([age, clicks]): Aged => {
      const taken = Math.min(left, clicks * weightAt(age));
      left -= taken;
      return { age, clicks: taken };
    });
  return [...aged, { age: DELAY_DAYS, clicks: left }];
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
  const all = clicks.flatMap(({ aged }) => aged);
  // Offers that nobody clicked lately are not among them, and all their conversions have come.
  const listed = all.reduce((sum, each) => sum + each.clicks, 0);
  await storeEstimates(db, {
    ...(fading.halfLife === halfLife ? fading : refaded(fading, halfLife, day)),
    clickStrengths: [clickStrengths.offer, clickStrengths.cell],
    conversionStrengths: [conversionStrengths.offer, conversionStrengths.cell],
    delays: arrived,
    maturity: maturityOf([{ age: DELAY_DAYS, clicks: Math.max(0, sample.clicked - listed) }, ...all], arrived),
    maturities: clicks.map(({ offerId, aged }) => ({ offerId, maturity: maturityOf(aged, arrived) })),
  });
  return true;
};
