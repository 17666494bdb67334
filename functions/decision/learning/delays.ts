/** Says how many days after a click its conversions may come. */
export const DELAY_DAYS = 30;

/** Sets how many conversions the assumed delays are worth, and in how many days half of the assumed ones come. */
const ASSUMED_CONVERSIONS = 20;
const ASSUMED_HALF = 1;

/** Returns which share of assumed conversions takes at least so many days. */
const assumedBeyond = (days: number): number => (days > DELAY_DAYS ? 0 : 2 ** (-days / ASSUMED_HALF));

// Ages are in calendar days: a click of `age` days ago is up to a day younger or older than that, and one of today a
// third of a day old on average. These parts of the conversions that take a day less, or as many days, have come.
const COME_TODAY = 1 / 3;
const COME_DAY_LESS = 5 / 6;
const COME_AS_MANY = 1 / 6;

/**
 * Returns the share of an offer's conversions that has come, by the age of their clicks: the difference of calendar
 * days, at any time of the day. It is drawn towards what is assumed where little is known.
 *
 * @param delays conversions by the whole days from click to conversion, of clicks that are {@link DELAY_DAYS} old or
 *   older
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

/** Holds how many clicks have an age, in whole days. */
export type Aged = { age: number; clicks: number };

/**
 * Lists clicks by their age, the newest first; clicks too old to have more conversions are one entry. Only clicks that
 * teach how often clicks convert count. What is kept of earlier texts is in `all` only, and so counts as old.
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

/** Returns the share of the conversions of some clicks that has come by now; 1 where there are no clicks. */
export const maturityOf = (clicks: readonly Aged[], arrived: readonly number[]): number => {
  let all = 0;
  let ripe = 0;
  for (const { age, clicks: count } of clicks) {
    all += count;
    ripe += count * (arrived[Math.min(age, arrived.length - 1)] ?? 1);
  }
  return all > 0 ? ripe / all : 1;
};
