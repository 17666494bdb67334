/** Holds the content of a cell; a null makes an empty cell. */
export type Cell = string | number | null;

/** Matches a text that a spreadsheet would take for a formula, perhaps after apostrophes that prevent that. */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/;

/** Returns a text as it was before a leading apostrophe kept it from being taken for a formula. */
export const withoutGuard = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;

/**
 * Writes a cell by RFC 4180. A text that a spreadsheet would take for a formula gets a leading apostrophe, and so does
 * one that already has such apostrophes, so that {@link withoutGuard} restores both.
 */
const cell = (value: Cell): string => {
  if (value === null) return "";
  const text = typeof value === "string" && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const line = (cells: readonly Cell[]): string => `${cells.map(cell).join(",")}\r\n`;

/** Writes rows as CSV by RFC 4180, after a line of column names. Each line is made only when it is asked for. */
export const csvLines = function* (
  columns: readonly string[],
  rows: Iterable<Readonly<Record<string, Cell>>>,
): Generator<string, void> {
  yield line(columns);
  for (const row of rows) yield line(columns.map((column) => row[column] ?? null));
};

/**
 * Returns the headers of a CSV answer, which browsers save rather than show.
 *
 * @param name the name of the file, without its extension
 */
export const csvHeaders = (name: string): Record<string, string> => ({
  "Content-Type": "text/csv; charset=utf-8",
  "Content-Disposition": `attachment; filename="${name}.csv"`,
});
