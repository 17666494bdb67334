// This file formats numbers, money and times. Nothing here knows the page, so tests call it directly.

/** Stands where there is no value. */
export const NOTHING = "–";

/** Holds a viewer's language tag and time zone; the browser's own if they are left out. */
export type Reader = { locale?: string | undefined; timeZone?: string | undefined };

type Figure = number | null | undefined;

/** Formats a whole number with separators: 1,234,567. */
export const count = (value: Figure, { locale }: Reader = {}): string =>
  value === null || value === undefined ? NOTHING : new Intl.NumberFormat(locale).format(value);

/** Counts things in words: 1 site, 2,000 sites. */
export const plural = (n: number, one: string): string => `${count(n)} ${one}${n === 1 ? "" : "s"}`;

/** Formats a number for a tile: whole up to 9,999, then 12.3K, 4.56M. */
export const short = (value: Figure, { locale }: Reader = {}): string => {
  if (value === null || value === undefined) return NOTHING;
  if (Math.abs(value) < 10_000) return count(Math.round(value), { locale });
  return new Intl.NumberFormat(locale, { notation: "compact", maximumSignificantDigits: 3 }).format(value);
};

/** Formats US dollars, with as many decimals as a small sum needs: $0.0042, $12.30, $1,234.50. */
export const dollars = (value: Figure, { locale }: Reader = {}): string => {
  if (value === null || value === undefined) return NOTHING;
  const isTiny = value !== 0 && Math.abs(value) < 0.1;
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: 2,
    maximumFractionDigits: isTiny ? 4 : 2,
  }).format(value);
};

/** Formats a price in US dollars with all its decimals, up to a millionth: $0.125, $0.00003, $12.00. */
export const price = (value: number, { locale }: Reader = {}): string =>
  new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: 2,
    maximumFractionDigits: 6,
  }).format(value);

/** Formats a share from 0 to 1 as a percentage: 42.1 %, and two decimals below one percent. */
export const percent = (value: Figure, { locale }: Reader = {}): string => {
  if (value === null || value === undefined || !Number.isFinite(value)) return NOTHING;
  const digits = value !== 0 && Math.abs(value) < 0.01 ? 2 : 1;
  return new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: digits }).format(value);
};

/** Returns a part as a share of a whole, or null where there is nothing to divide by. */
export const ratio = (part: Figure, whole: Figure): number | null =>
  part === null || part === undefined || !whole ? null : part / whole;

/** Returns how much a figure differs from an earlier one, as a share of that; null where that was nothing. */
export const change = (now: Figure, before: Figure): number | null => {
  const difference = ratio(now, before);
  return difference === null ? null : difference - 1;
};

/**
 * Formats a change with its sign, in whole percents from ten up: +13 %, −3.4 %. A change of almost nothing has no sign:
 * 0 %.
 */
export const signedPercent = (value: number | null, { locale }: Reader = {}): string => {
  if (value === null) return NOTHING;
  return new Intl.NumberFormat(locale, {
    style: "percent",
    maximumFractionDigits: Math.abs(value) < 0.1 ? 1 : 0,
    signDisplay: "exceptZero",
  }).format(value);
};

/** Formats a time in the viewer's zone: 22 Nov 2026, 10:30. */
export const moment = (time: string | null | undefined, { locale, timeZone }: Reader = {}): string =>
  time
    ? new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone }).format(new Date(time))
    : NOTHING;

/** Formats a time in UTC, to be shown beside the viewer's own: 2026-11-22 09:30 UTC. */
export const utc = (time: string | null | undefined): string =>
  time ? `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC` : "";

/** Formats a UTC day, `YYYY-MM-DD`, as a day of the week and month: Sun, 22 Nov. A day is the same in every zone. */
export const day = (date: string, { locale }: Reader = {}): string =>
  new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" }).format(
    new Date(`${date}T00:00:00Z`),
  );

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** Says how long ago a time was, or how soon it comes: 3 days ago, in 2 hours. */
export const ago = (time: string, now: number, { locale }: Reader = {}): string => {
  const seconds = (Date.parse(time) - now) / 1000;
  // The larger unit is used where the smaller one would round up to it: 59.5 minutes are an hour, not 60 minutes.
  const step = STEPS.find(([, length], at) => {
    const smaller = STEPS[at + 1]?.[1] ?? 1;
    return Math.max(Math.abs(seconds), Math.round(Math.abs(seconds) / smaller) * smaller) >= length;
  });
  // Lengths are numbers: a day and a half ago is not "yesterday", and a year ago may not be "last year". Only "now" has
  // none.
  const format = new Intl.RelativeTimeFormat(locale, { numeric: step ? "always" : "auto" });
  return step ? format.format(Math.round(seconds / step[1]), step[0]) : format.format(Math.round(seconds), "second");
};

/**
 * Turns the API's codes into words: `no_eligible_offer` and `THANK_YOU_PAGE` into "No eligible offer", "Thank you
 * page".
 */
export const words = (code: string): string => {
  const text = code
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
};
