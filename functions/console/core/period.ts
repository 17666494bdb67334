import { dayParameter } from "../../core/days.ts";

/** Holds UTC days, `YYYY-MM-DD`, both included. */
export type Period = { from: string; to: string };

const DAY_MS = 86_400_000;
const USUAL_DAYS = 30;

const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** Returns the UTC day of a time, so many days before it. */
export const isoDay = (now: number, daysAgo = 0): string => new Date(now - daysAgo * DAY_MS).toISOString().slice(0, 10);

/** Returns a day so many days after another. */
export const addDays = (day: string, days: number): string => isoDay(Date.parse(day), -days);

/** Returns a day as the API's parameters name it. */
export const apiDay = (day: string): string => dayParameter(Date.parse(day));

/** Returns how many days a period has. */
export const daysIn = ({ from, to }: Period): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** Returns the last so many days, today included. */
export const lastDays = (now: number, days: number): Period => ({ from: isoDay(now, days - 1), to: isoDay(now) });

/** Returns a period with another first day; where that is behind the last one, it is that day alone. */
export const beginningOn = ({ to }: Period, from: string): Period => ({ from, to: to < from ? from : to });

/** Returns a period with another last day; where that is before the first one, it is that day alone. */
export const endingOn = ({ from }: Period, to: string): Period => ({ from: to < from ? to : from, to });

/** Reads which days an address asks for; the last 30 where it says nothing or nonsense. */
export const periodOf = ({ from, to }: Record<string, string | undefined>, now: number): Period => {
  const usual = lastDays(now, USUAL_DAYS);
  const last = isDay(to) ? to : usual.to;
  const first = isDay(from) ? from : addDays(last, 1 - USUAL_DAYS);
  return first <= last ? { from: first, to: last } : { from: last, to: first };
};

/** Returns the period that one is compared with, as long as it is: the one before, or from a day on. */
export const otherPeriod = (period: Period, against: string | undefined): Period | null => {
  const days = daysIn(period);
  const from = against === "before" ? addDays(period.from, -days) : against;
  return isDay(from) ? { from, to: addDays(from, days - 1) } : null;
};
