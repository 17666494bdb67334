import type { Db } from "../../db/core/client.ts";
import { findEstimated, findSample, storeEstimates, type Sample } from "../../db/learning/estimates.ts";
import type { RateSums } from "../../db/learning/increases.ts";
import { meanOf, MOST_STRENGTHS, offerBelief, placeFactor, USUAL_STRENGTHS } from "../decision/learning/belief.ts";
import { arrivedByAge, DELAY_DAYS, maturityOf, type Aged } from "../decision/learning/delays.ts";
import { evidenceOf, faded, refaded, weightOf, type Stage } from "../decision/learning/fold.ts";
import { strengthOf, type Outcome } from "../decision/learning/strength.ts";

const rateOf = (rated: Sample["offers"][number], stage: Stage): number =>
  stage === 0 ? rated.clickRate : rated.conversionRate;

/** Estimates how many events the rate of an advertiser outweighs, and then how many an offer's own. */
const strengths = ({ offers, cells }: Sample, stage: Stage, weight: number): [number, number] => {
  const at = (sums: RateSums) => evidenceOf(faded(sums, weight), stage);
  const offer = strengthOf(
    offers.map((rated): Outcome => {
      const { count, exposure } = at(rated);
      return { count, expected: exposure * rateOf(rated, stage) };
    }),
    USUAL_STRENGTHS.offer,
    MOST_STRENGTHS.offer,
  );
  const cell = strengthOf(
    cells.map((each): Outcome => {
      const { count, exposure } = at(each);
      const factor = placeFactor(at(each.place));
      const own = at(each.offer);
      const elsewhere = { count: own.count - count, exposure: own.exposure - exposure * factor };
      const rate = meanOf(offerBelief(elsewhere, rateOf(each.offer, stage), offer));
      return { count, expected: exposure * factor * rate };
    }),
    USUAL_STRENGTHS.cell,
    MOST_STRENGTHS.cell,
  );
  return [offer, cell];
};

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
 */
export const estimate = async (db: Db, halfLife: number): Promise<void> => {
  const { isDue, day, ...fading } = await findEstimated(db);
  if (!isDue && fading.halfLife === halfLife) return;
  const sample = await findSample(db);
  const weight = weightOf(day, fading);
  const arrived = arrivedByAge(sample.delays);
  const clicks = sample.clicks.map((each) => ({
    offerId: each.offerId,
    aged: agedClicks(each, (age) => weightOf(day - age, fading)),
  }));
  await storeEstimates(db, {
    ...(fading.halfLife === halfLife ? fading : refaded(fading, halfLife, day)),
    clickStrengths: strengths(sample, 0, weight),
    conversionStrengths: strengths(sample, 1, weight),
    delays: arrived,
    maturity: maturityOf(
      clicks.flatMap(({ aged }) => aged),
      arrived,
    ),
    maturities: clicks.map(({ offerId, aged }) => ({ offerId, maturity: maturityOf(aged, arrived) })),
  });
};
