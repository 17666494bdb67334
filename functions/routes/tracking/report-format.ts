import type { ReportQuery, ReportRow } from "../../../db/tracking/reports.ts";

/** Says which money a token may see. */
export type MoneyAccess = { revenueAccess: boolean; grossAccess: boolean };

type Cell = string | number | null;

const MICROS = 1_000_000;

/** Clicks an impression, to six digits; 0 without impressions. */
const rate = (clicks: number, impressions: number): number =>
  impressions === 0 ? 0 : Math.round((clicks / impressions) * MICROS) / MICROS;

/**
 * Returns a report's rows as they are answered, in one order for JSON and CSV: what they are split by, counts, then the money
 * that the token may see, in USD with up to six decimals. `date` is the first day of a period.
 */
export const reportRows = (
  rows: readonly ReportRow[],
  { breakdown, groups }: Pick<ReportQuery, "breakdown" | "groups">,
  access: MoneyAccess,
): Record<string, Cell>[] =>
  rows.map((row) => ({
    ...(breakdown === "NONE" ? {} : { date: row.period }),
    ...(groups.includes("SITE") ? { siteId: row.siteId, siteName: row.siteName } : {}),
    ...(groups.includes("PLACEMENT") ? { placementId: row.placementId, placementName: row.placementName } : {}),
    ...(groups.includes("COUNTRY") ? { country: row.country } : {}),
    requests: row.requests,
    impressions: row.impressions,
    viewable: row.viewable,
    clicks: row.clicks,
    closes: row.closes,
    conversions: row.conversions,
    transactions: row.transactions,
    ctr: rate(row.clicks, row.impressions),
    ...(access.revenueAccess ? { revenue: row.revenueMicros / MICROS } : {}),
    ...(access.grossAccess
      ? { gross: row.grossMicros / MICROS, profit: (row.grossMicros - row.revenueMicros) / MICROS }
      : {}),
  }));

/**
 * Writes a cell by RFC 4180. A text that a spreadsheet would take for a formula is kept a text by a leading
 * apostrophe.
 */
const cell = (value: Cell): string => {
  if (value === null) return "";
  const text = typeof value === "string" && /^[=+\-@＝＋－＠\t\r\n]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Writes rows as CSV by RFC 4180, with a line of column names. */
export const csv = (columns: readonly string[], rows: readonly Record<string, Cell>[]): string =>
  [columns.map(cell), ...rows.map((row) => columns.map((column) => cell(row[column] ?? null)))]
    .map((line) => `${line.join(",")}\r\n`)
    .join("");

/**
 * Returns the headers of an answer that is CSV: browsers save it, and show nothing of it.
 *
 * @param name of the file, without its ending
 */
export const csvHeaders = (name: string): Record<string, string> => ({
  "Content-Type": "text/csv; charset=utf-8",
  "Content-Disposition": `attachment; filename="${name}.csv"`,
});
