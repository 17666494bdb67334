/** Says for how many days after a click conversions are waited for. */
export const DELAY_DAYS = 30;

/** Sets how many conversions the assumed delays outweigh, and in how many days half of those come. */
const ASSUMED_CONVERSIONS = 20;
const ASSUMED_HALF = 1;

/**
 * Returns which share of an offer's conversions has come by the age of their clicks, in whole days: drawn towards what is
 * assumed where little is known.
 *
 * @param delays conversions by the whole days from click to conversion, of clicks that are {@link DELAY_DAYS} old or older
 */
export const arrivedByAge = (delays: readonly number[]): number[] => {
  const total = delays.reduce((sum, count) => sum + count, 0);
  let come = 0;
  return Array.from({ length: DELAY_DAYS + 1 }, (_, age) => {
    come += delays[age] ?? 0;
    const assumed = age === DELAY_DAYS ? 1 : 1 - 2 ** (-(age + 0.5) / ASSUMED_HALF);
    return (come + ASSUMED_CONVERSIONS * assumed) / (total + ASSUMED_CONVERSIONS);
  });
};

/** Holds clicks that are as old as that, in whole days. */
export type Aged = { age: number; clicks: number };

/** Returns which share of the conversions of clicks has come by now, 1 where there are none. */
export const maturityOf = (clicks: readonly Aged[], arrived: readonly number[]): number => {
  let all = 0;
  let ripe = 0;
  for (const { age, clicks: count } of clicks) {
    all += count;
    ripe += count * (arrived[Math.min(age, arrived.length - 1)] ?? 1);
  }
  return all > 0 ? ripe / all : 1;
};
