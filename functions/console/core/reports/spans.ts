import { sumOf } from "./figures.ts";
import { addDays } from "./period.ts";
import type { ReportedRow } from "./report.ts";

/** Names what figures are broken down by. */
export type Per = "DAY" | "WEEK" | "MONTH";

/**
 * Holds a day, week or month within a period: its first day, in the API's form, and how many of its days are in the
 * period.
 */
export type Span = { date: string; days: number; isWhole: boolean };

/** Returns the first day of the week or month that a day is in. Weeks begin on Monday. */
export const spanOf = (day: string, per: Per): string => {
  if (per === "MONTH") return `${day.slice(0, 7)}-01`;
  return per === "WEEK" ? addDays(day, -((new Date(day).getUTCDay() + 6) % 7)) : day;
};

const nextOf = (date: string, per: Per): string =>
  per === "MONTH" ? spanOf(addDays(date, 31), per) : addDays(date, per === "WEEK" ? 7 : 1);

/** Groups what is dated by the day, week or month that it is in, in order. */
const inSpans = <Dated>(all: readonly Dated[], dayOf: (one: Dated) => string, per: Per): [string, Dated[]][] => {
  const spans = new Map<string, Dated[]>();
  for (const one of all) {
    const date = spanOf(dayOf(one), per);
    spans.set(date, [...(spans.get(date) ?? []), one]);
  }
  return [...spans];
};

/** Returns the days, weeks or months that some days are in. */
export const spansOf = (days: readonly string[], per: Per): Span[] =>
  inSpans(days, (day) => day, per).map(([date, own]) => ({
    date,
    days: own.length,
    isWhole: addDays(date, own.length) === nextOf(date, per),
  }));

/** Holds the days, weeks or months of a period and of the one that it is compared with. */
export type Spans = { now: readonly Span[]; before: readonly Span[] };

/** Tells whether the counts of two spans can be compared: both are whole, or have the same number of days. */
const areAlike = (one: Span, other: Span): boolean => one.days === other.days || (one.isWhole && other.isWhole);

/**
 * Returns what each span is compared with, paired from the last spans backwards. Periods with the same number of days
 * may have one week or month more or less, which is left out at the beginning. Undefined if there is no partner, or it
 * has a different part of its days.
 */
export const partnersOf = ({ now, before }: Spans): (Span | undefined)[] =>
  now.map((span, at) => {
    const partner = before[at + before.length - now.length];
    return partner && areAlike(span, partner) ? partner : undefined;
  });

/** Returns what was counted by day, week or month, from rows by day. */
export const bySpan = (rows: readonly ReportedRow[], per: Per): ReportedRow[] =>
  inSpans(rows, ({ date = "" }) => date, per).map(([date, own]) => Object.assign(sumOf(own), { date }));
