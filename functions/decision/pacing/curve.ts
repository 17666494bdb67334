import { HOUR_MS } from "../../../db/core/time.ts";

/** Counts the hours of a week. */
export const WEEK_HOURS = 168;

const DAY_HOURS = 24;

/** Sets how many weeks of an hour the guess for it is worth. */
const PRIOR_WEEKS = 0.5;

/**
 * Holds the requests of each hour of the week, from Thursday 0:00 UTC, when 1970 began, in the whole hours between two
 * times in milliseconds. `since` is null where none came yet.
 */
export type Traffic = { requests: readonly number[]; since: number | null; until: number };

/**
 * Describes how traffic is spread over a week, in units of its average hour. `level` is how many requests an average
 * hour has, null while that is unknown.
 */
export type Curve = {
  /** Holds the sum of the hours before each hour of the week, and last the sum of all. */
  sums: readonly number[];
  level: number | null;
};

const sumsOf = (hours: readonly number[]): number[] => {
  const sums = [0];
  for (const hour of hours) sums.push((sums.at(-1) ?? 0) + hour);
  return sums;
};

/** Is the curve to use while no traffic is known: all hours alike. */
export const CLOCK: Curve = { sums: sumsOf(Array<number>(WEEK_HOURS).fill(1)), level: null };

/** Counts how often each hour of the week occurred between two times, in whole hours since 1970. */
const timesOf = (since: number, until: number): number[] => {
  const times = Array<number>(WEEK_HOURS).fill(0);
  for (let hour = since; hour < until; hour++) times[hour % WEEK_HOURS] = (times[hour % WEEK_HOURS] ?? 0) + 1;
  return times;
};

/**
 * Makes a curve from past traffic. While little is known, an hour of the week is drawn towards that hour on any day,
 * and that towards the average: so the first day teaches the shape of a day, and weeks teach that of a week.
 */
export const curveOf = ({ requests, since, until }: Traffic): Curve => {
  if (since === null) return CLOCK;
  const times = timesOf(Math.floor(since / HOUR_MS), Math.floor(until / HOUR_MS));
  const total = requests.reduce((sum, count) => sum + count, 0);
  const count = times.reduce((sum, each) => sum + each, 0);
  if (total <= 0 || count <= 0) return CLOCK;
  const level = total / count;
  const daily = Array.from({ length: DAY_HOURS }, (_, hour) => {
    let [came, seen] = [0, 0];
    for (let i = hour; i < WEEK_HOURS; i += DAY_HOURS) {
      came += requests[i] ?? 0;
      seen += times[i] ?? 0;
    }
    return (came + PRIOR_WEEKS * level) / (seen + PRIOR_WEEKS);
  });
  const hours = requests.map(
    (came, i) => (came + PRIOR_WEEKS * (daily[i % DAY_HOURS] ?? level)) / ((times[i] ?? 0) + PRIOR_WEEKS),
  );
  const mean = hours.reduce((sum, hour) => sum + hour, 0) / WEEK_HOURS;
  return { sums: sumsOf(hours.map((hour) => hour / mean)), level: mean };
};

/** Returns how much traffic comes from the beginning of 1970 until a time, in average hours. */
const until = ({ sums }: Curve, time: number): number => {
  const hours = time / HOUR_MS;
  const whole = Math.floor(hours);
  const hour = whole % WEEK_HOURS;
  const [before = 0, behind = 0, all = 0] = [sums[hour], sums[hour + 1], sums[WEEK_HOURS]];
  return Math.floor(whole / WEEK_HOURS) * all + before + (hours - whole) * (behind - before);
};

/**
 * Returns how much traffic is expected between two times, in average hours of the curve; 0 if the second is not later.
 */
export const expectedBetween = (curve: Curve, from: number, to: number): number =>
  to > from ? until(curve, to) - until(curve, from) : 0;
