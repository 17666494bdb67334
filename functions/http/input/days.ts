import * as z from "zod";
import { DAY_MS, dayOf } from "../../../db/core/time.ts";

/** Limits how many days back counters can be asked for. */
const MAX_DAYS_BACK = 180;

/** Limits how many days after its first one a range may end. */
const MAX_DAYS_ON = 400;

/** Rewrites `YYYYMMDD` as `YYYY-MM-DD`; null when there is no such day. */
const isoDay = (text: string): string | null => {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? [];
  const iso = `${year}-${month}-${day}`;
  return year !== undefined && new Date(`${iso}T00:00:00Z`).toJSON()?.startsWith(iso) ? iso : null;
};

/** Checks a UTC day. */
export const day = () =>
  z.string({ error: "is required, as YYYYMMDD" }).transform((text, context) => {
    const iso = isoDay(text);
    if (iso !== null) return iso;
    context.addIssue({ code: "custom", message: "must be a day as YYYYMMDD" });
    return z.NEVER;
  });

/** Checks the parameters of a range of UTC days, both included. */
export const dayRange = () => ({ dateStart: day(), dateEnd: day() });

/** Returns the day that is so many days after a time. */
const dayAfter = (time: number, days: number): string => dayOf(time + days * DAY_MS);

/**
 * Says what is wrong with a range of days, or returns null. It may not end before it begins, begin too long ago, or be
 * too long.
 */
export const rangeProblem = (range: { dateStart: string; dateEnd: string }, now: number): string | null => {
  if (range.dateEnd < range.dateStart) return "dateEnd: must not be before dateStart";
  if (range.dateStart < dayAfter(now, -MAX_DAYS_BACK)) return `dateStart: must be at most ${MAX_DAYS_BACK} days back`;
  const isLong = Date.parse(range.dateEnd) - Date.parse(range.dateStart) > MAX_DAYS_ON * DAY_MS;
  return isLong ? `dateEnd: must be at most ${MAX_DAYS_ON} days after dateStart` : null;
};
