import { sumOf } from "./figures.ts";
import { addDays } from "./period.ts";
import type { ReportedRow } from "./report.ts";

/** Names what figures are broken down by. */
export type Per = "DAY" | "WEEK" | "MONTH";

/** Holds a day, week or month as a period has it: its first day, as the API names it, and how many of its days. */
export type Span = { date: string; days: number; isWhole: boolean };

/** Returns the first day of the week or month that a day is in. Weeks begin on Monday. */
export const spanOf = (day: string, per: Per): string => {
  if (per === "MONTH") return `${day.slice(0, 7)}-01`;
  return per === "WEEK" ? addDays(day, -((new Date(day).getUTCDay() + 6) % 7)) : day;
};

const nextOf = (date: string, per: Per): string =>
  per === "MONTH" ? spanOf(addDays(date, 31), per) : addDays(date, per === "WEEK" ? 7 : 1);

/** Puts what is of days together by the day, week or month that they are in, in their order. */
const inSpans = <Dated>(all: readonly Dated[], dayOf: (one: Dated) => string, per: Per): [string, Dated[]][] => {
  const spans = new Map<string, Dated[]>();
  for (const one of all) {
    const date = spanOf(dayOf(one), per);
    spans.set(date, [...(spans.get(date) ?? []), one]);
  }
  return [...spans];
};

/** Returns the days, weeks or months that days are in. */
export const spansOf = (days: readonly string[], per: Per): Span[] =>
  inSpans(days, (day) => day, per).map(([date, own]) => ({
    date,
    days: own.length,
    isWhole: addDays(date, own.length) === nextOf(date, per),
  }));

/** Holds the days, weeks or months of a period and of the one that it is compared with. */
export type Spans = { now: readonly Span[]; before: readonly Span[] };

/** Tells whether the counts of two spans say something beside each other: both are whole, or have as many days. */
const areAlike = (one: Span, other: Span): boolean => one.days === other.days || (one.isWhole && other.isWhole);

/**
 * Returns what each span is compared with: the last goes with the last. Periods of as many days may have a week or a month
 * more or less, which is left out at the beginning. Undefined where there is none, or one of another part of its days.
 */
export const partnersOf = ({ now, before }: Spans): (Span | undefined)[] =>
  now.map((span, at) => {
    const partner = before[at + before.length - now.length];
    return partner && areAlike(span, partner) ? partner : undefined;
  });

/** Returns what was counted by day, week or month, of rows by day. */
export const bySpan = (rows: readonly ReportedRow[], per: Per): ReportedRow[] =>
  inSpans(rows, ({ date = "" }) => date, per).map(([date, own]) => Object.assign(sumOf(own), { date }));
