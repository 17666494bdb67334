/** Holds what stands in a cell; nothing for null. */
export type Cell = string | number | null;

/** Tells a text that a spreadsheet would take for a formula, behind the apostrophes that keep it from that. */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/;

/** Returns a text as it was before a leading apostrophe kept it from being taken for a formula. */
export const withoutGuard = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;

/**
 * Writes a cell by RFC 4180. A text that a spreadsheet would take for a formula is kept a text by a leading
 * apostrophe; so is one that begins like that, so that {@link withoutGuard} brings back each.
 */
const cell = (value: Cell): string => {
  if (value === null) return "";
  const text = typeof value === "string" && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const line = (cells: readonly Cell[]): string => `${cells.map(cell).join(",")}\r\n`;

/** Writes rows as CSV by RFC 4180, behind a line of column names. Yields each line when it is asked for. */
export const csvLines = function* (
  columns: readonly string[],
  rows: Iterable<Readonly<Record<string, Cell>>>,
): Generator<string, void> {
  yield line(columns);
  for (const row of rows) yield line(columns.map((column) => row[column] ?? null));
};

/**
 * Returns the headers of an answer that is CSV: browsers save it, and show nothing of it.
 *
 * @param name of the file, without its ending
 */
export const csvHeaders = (name: string): Record<string, string> => ({
  "Content-Type": "text/csv; charset=utf-8",
  "Content-Disposition": `attachment; filename="${name}.csv"`,
});
