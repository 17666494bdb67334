import { WEEK_HOURS, type Traffic } from "../../../functions/decision/pacing/curve.ts";
import type { Random } from "../core/random.ts";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Sets when the virtual clock starts: a Thursday, from which hours of the week are counted. */
export const START = Date.UTC(2026, 0, 1);

/** Sets how many weeks of traffic are known at the start. */
const KNOWN_WEEKS = 4;

/** Sets how much hours, and whole days, vary around their usual traffic. */
const STRAYS = { hour: 0.1, day: 0.15 };

/** Describes a burst: `times` the usual requests in the hour that begins `at` hours after the start. */
export type Burst = { at: number; times: number };

/** Describes traffic with a daily and a weekly pattern. */
export type World = {
  /** Holds how many requests each hour of the week usually has. */
  usual: readonly number[];
  /** Holds what is known at the start. */
  known: Traffic;
  /** Returns how many requests come in a minute, counted from the start. */
  requestsIn: (minute: number) => number;
};

/** Draws a Poisson count with a given mean. */
const drawCount = (mean: number, random: Random): number => {
  if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.normal()));
  let [count, left] = [0, Math.exp(-mean)];
  for (let u = random.uniform(); u > left; u *= random.uniform()) count += 1;
  return count;
};

/**
 * Draws the usual requests of each hour of a week: nights are quiet, evenings busy, and two days differ from the rest.
 */
const drawWeek = (perDay: number, random: Random): number[] => {
  const peak = 14 + 8 * random.uniform();
  const depth = 0.5 + 0.4 * random.uniform();
  const weekend = 0.5 + random.uniform();
  const hours = Array.from({ length: WEEK_HOURS }, (_, i) => {
    const day = 1 + depth * Math.cos(((i - peak) / 24) * 2 * Math.PI);
    const isWeekend = i >= 48 && i < 96;
    return day * (isWeekend ? weekend : 1) * Math.exp(0.15 * random.normal());
  });
  const mean = hours.reduce((sum, hour) => sum + hour, 0) / WEEK_HOURS;
  return hours.map((hour) => (hour / mean) * (perDay / 24));
};

/**
 * Makes random traffic. The weeks before the start are known by the hour, and vary like those to come.
 *
 * @param perDay requests of an average day
 */
export const worldOf = (perDay: number, burst: Burst | null, random: Random): World => {
  const usual = drawWeek(perDay, random);
  const straying = (strays: number) => Math.exp(strays * random.normal() - strays ** 2 / 2);
  const requests = Array<number>(WEEK_HOURS).fill(0);
  for (let hour = 0, day = 1; hour < KNOWN_WEEKS * WEEK_HOURS; hour++) {
    if (hour % 24 === 0) day = straying(STRAYS.day);
    const i = hour % WEEK_HOURS;
    requests[i] = (requests[i] ?? 0) + drawCount((usual[i] ?? 0) * day * straying(STRAYS.hour), random);
  }
  const hours: number[] = [];
  let day = 1;
  const inHour = (hour: number): number => {
    while (hours.length <= hour) {
      if (hours.length % 24 === 0) day = straying(STRAYS.day);
      const times = burst?.at === hours.length ? burst.times : 1;
      hours.push((usual[hours.length % WEEK_HOURS] ?? 0) * day * straying(STRAYS.hour) * times);
    }
    return hours[hour] ?? 0;
  };
  return {
    usual,
    known: { requests, since: START - KNOWN_WEEKS * WEEK_HOURS * HOUR_MS, until: START },
    requestsIn: (minute) => drawCount(inHour(Math.floor(minute / 60)) / 60, random),
  };
};
