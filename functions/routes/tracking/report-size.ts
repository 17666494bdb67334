import type { Breakdown, Group } from "../../../db/tracking/reports.ts";

/** Limits the rows of a report. */
export const MAX_ROWS = 50_000;

const COARSER: Partial<Record<Breakdown, string>> = { DAY: "WEEK or MONTH", WEEK: "MONTH" };

/** Lists what a report may be split by, in the order of how many rows that makes, the most first. */
const FINEST = [
  "COUNTRY",
  "CREATIVE",
  "OFFER",
  "PLACEMENT",
  "ADVERTISER",
  "SITE",
  "PUBLISHER",
  "ARM",
] as const satisfies readonly Group[];

/**
 * Says what to ask for instead of a report with too many rows, as a `field: message` text.
 *
 * @param asked the report's type, what it is also split by, and into which periods
 */
export const tooManyRows = ({
  reportType,
  groupBy,
  breakdownBy,
}: {
  reportType: string;
  groupBy: readonly Group[];
  breakdownBy: Breakdown;
}): string => {
  const coarser = COARSER[breakdownBy];
  const makes = `makes more than ${MAX_ROWS} rows;`;
  const split = FINEST.find((group) => group !== reportType && groupBy.includes(group));
  if (split) return `groupBy: ${makes} leave out ${split}${coarser ? `, or choose ${coarser} for breakdownBy` : ""}`;
  return coarser
    ? `breakdownBy: ${makes} choose ${coarser}, or ask for fewer days`
    : `reportType: ${makes} ask for fewer days, or for one site, placement or offer`;
};
