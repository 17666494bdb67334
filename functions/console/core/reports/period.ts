import { dayParameter } from "../../../core/days.ts";

/** Holds UTC days, `YYYY-MM-DD`, both included. */
export type Period = { from: string; to: string };

/** Holds the day on which something was counted, if it is for one day. */
type Dated = { date?: string | undefined };

const DAY_MS = 86_400_000;
const USUAL_DAYS = 30;
const WEEK = 7;

/** Tells whether a text is a day in the calendar: engines read 31 November as 1 December. */
const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.slice(0, 10) === text;

/** Returns the UTC day that is so many days before a time. */
export const isoDay = (now: number, daysAgo = 0): string => new Date(now - daysAgo * DAY_MS).toISOString().slice(0, 10);

/** Returns the day that is so many days after another. */
export const addDays = (day: string, days: number): string => isoDay(Date.parse(day), -days);

/** Returns a day in the form of the API's parameters. */
export const apiDay = (day: string): string => dayParameter(Date.parse(day));

/** Returns how many days a period has. */
const daysIn = ({ from, to }: Period): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** Returns the last so many days, today included. */
export const lastDays = (now: number, days: number): Period => ({ from: isoDay(now, days - 1), to: isoDay(now) });

/** Tells whether a period has a day that is not over yet. */
export const isRunning = ({ to }: Period, now: number): boolean => to >= isoDay(now);

/** Returns the rows of days that are over; rows without a day all stay. */
const wholeDays = <Row extends Dated>(rows: readonly Row[], time: number): Row[] =>
  rows.filter(({ date = "" }) => date < isoDay(time));

/** Returns the days of two periods that are over in the first one, paired from the last days backwards. */
export const wholePair = <Row extends Dated>(
  now: readonly Row[],
  before: readonly Row[],
  time: number,
): { now: Row[]; before: Row[] } => {
  const whole = wholeDays(now, time);
  return { now: whole, before: before.slice(0, Math.max(0, before.length - now.length + whole.length)) };
};

/** Returns the last seven whole days of a list, and the seven before: today has only a part of what a whole day has. */
export const lastWeeks = <Row extends Dated>(rows: readonly Row[], time: number) => {
  const whole = wholeDays(rows, time);
  return { week: whole.slice(-WEEK), before: whole.slice(-2 * WEEK, -WEEK) };
};

/** Returns a period with another first day; if that is after the last day, the period is that day alone. */
export const beginningOn = ({ to }: Period, from: string): Period => ({ from, to: to < from ? from : to });

/** Returns a period with another last day; if that is before the first day, the period is that day alone. */
export const endingOn = ({ from }: Period, to: string): Period => ({ from: to < from ? to : from, to });

/** Reads which days an address asks for; the last 30 if it says nothing or nonsense. */
export const periodOf = ({ from, to }: Record<string, string | undefined>, now: number): Period => {
  const usual = lastDays(now, USUAL_DAYS);
  const last = isDay(to) ? to : usual.to;
  const first = isDay(from) ? from : addDays(last, 1 - USUAL_DAYS);
  return first <= last ? { from: first, to: last } : { from: last, to: first };
};

/**
 * Returns the period of the same length that one is compared with: the one before it, or the one from a given day on.
 */
export const otherPeriod = (period: Period, against: string | undefined): Period | null => {
  const days = daysIn(period);
  const from = against === "before" ? addDays(period.from, -days) : against;
  return isDay(from) ? { from, to: addDays(from, days - 1) } : null;
};
