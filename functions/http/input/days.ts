import * as z from "zod";
import { DAY_MS } from "../../../db/core/time.ts";

/** Limits how far back counters can be asked for. */
export const MAX_DAYS_BACK = 180;

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

/** Says what is wrong with a range of days, or null. It may not end before it begins, nor begin too long ago. */
export const rangeProblem = (range: { dateStart: string; dateEnd: string }, now: number): string | null => {
  if (range.dateEnd < range.dateStart) return "dateEnd: must not be before dateStart";
  const earliest = new Date(now - MAX_DAYS_BACK * DAY_MS).toISOString().slice(0, 10);
  return range.dateStart < earliest ? `dateStart: must be at most ${MAX_DAYS_BACK} days back` : null;
};
