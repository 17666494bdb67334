import type { Breakdown, Group } from "../../../db/tracking/reports.ts";

/** Limits the rows of a report. */
export const MAX_ROWS = 50_000;

const COARSER: Partial<Record<Breakdown, string>> = { DAY: "WEEK or MONTH", WEEK: "MONTH" };

/**
 * Says of a report with too many rows what to ask for instead, as a `field: message` text.
 *
 * @param asked what it is also split by, and into which periods
 */
export const tooManyRows = ({
  groupBy,
  breakdownBy,
}: {
  groupBy: readonly Group[];
  breakdownBy: Breakdown;
}): string => {
  const coarser = COARSER[breakdownBy];
  const makes = `makes more than ${MAX_ROWS} rows;`;
  if (groupBy.includes("COUNTRY")) {
    return `groupBy: ${makes} leave out COUNTRY${coarser ? `, or choose ${coarser} for breakdownBy` : ""}`;
  }
  return coarser
    ? `breakdownBy: ${makes} choose ${coarser}, or ask for fewer days`
    : `reportType: ${makes} ask for fewer days, or for one site, placement or offer`;
};
