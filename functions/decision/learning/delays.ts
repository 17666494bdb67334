/** Says for how many days after a click conversions are waited for. */
export const DELAY_DAYS = 30;

/** Sets how many conversions the assumed delays outweigh, and in how many days half of those come. */
const ASSUMED_CONVERSIONS = 20;
const ASSUMED_HALF = 1;

/** Returns which share of assumed conversions takes at least so many days. */
const assumedBeyond = (days: number): number => (days > DELAY_DAYS ? 0 : 2 ** (-days / ASSUMED_HALF));

// Ages are told by calendar days: a click of `age` days ago is up to a day younger or older than that, one of today a third
// of a day old on average. Of conversions that take a day less, or as many days, these parts have come.
const COME_TODAY = 1 / 3;
const COME_DAY_LESS = 5 / 6;
const COME_AS_MANY = 1 / 6;

/**
 * Returns which share of an offer's conversions has come by the age of their clicks: the difference of calendar days,
 * looked at any time of the day. Drawn towards what is assumed where little is known.
 *
 * @param delays conversions by the whole days from click to conversion, of clicks that are {@link DELAY_DAYS} old or older
 */
export const arrivedByAge = (delays: readonly number[]): number[] => {
  const expected = Array.from(
    { length: DELAY_DAYS + 1 },
    (_, day) => (delays[day] ?? 0) + ASSUMED_CONVERSIONS * (assumedBeyond(day) - assumedBeyond(day + 1)),
  );
  const at = (day: number): number => expected[day] ?? 0;
  const total = expected.reduce((sum, count) => sum + count, 0);
  let come = 0;
  return expected.map((_, age) => {
    come += at(age - 2);
    if (age === 0) return (COME_TODAY * at(0)) / total;
    return age === DELAY_DAYS ? 1 : (come + COME_DAY_LESS * at(age - 1) + COME_AS_MANY * at(age)) / total;
  });
};

/** Holds clicks that are as old as that, in whole days. */
export type Aged = { age: number; clicks: number };

/**
 * Lists clicks by their age, the newest first; those that are older than conversions are waited for count as one. Clicks from
 * before an offer was paid for by conversions are no part of all, and so of the list.
 *
 * @param all how many clicks there are, of any age
 * @param recent the clicks of each of the last days, in any order
 */
export const agedClicks = (all: number, recent: readonly Aged[]): Aged[] => {
  let left = Math.max(0, all);
  const aged = recent
    .toSorted((a, b) => a.age - b.age)
    .map(({ age, clicks }): Aged => {
      const taken = Math.min(left, clicks);
      left -= taken;
      return { age, clicks: taken };
    });
  return [...aged, { age: DELAY_DAYS, clicks: left }];
};

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
