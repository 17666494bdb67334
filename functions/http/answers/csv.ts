/** Holds the content of a cell; a null makes an empty cell. */
export type Cell = string | number | null;

/** Matches a text that a spreadsheet would take for a formula, perhaps after apostrophes that prevent that. */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/;

/**
 * Matches what comes before a formula within a text, and the same with an apostrophe: where the comma separates
 * decimals, spreadsheets begin a cell after a semicolon, whatever quotes there are, and a line after its break.
 */
const BEFORE_FORMULA = /[;\t\r\n](?='*[=+\-@＝＋－＠])/g;
const GUARDED = /([;\t\r\n])'(?='*[=+\-@＝＋－＠])/g;

/** Returns a text as it was before apostrophes kept it from being taken for formulas. */
export const withoutGuard = (text: string): string =>
  (text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text).replaceAll(GUARDED, "$1");

const guarded = (text: string): string => `${FORMULA.test(text) ? "'" : ""}${text.replaceAll(BEFORE_FORMULA, "$&'")}`;

/**
 * Writes a cell by RFC 4180. Where a spreadsheet would see a formula begin, an apostrophe is put before it, also where
 * there are such apostrophes already, so that {@link withoutGuard} restores both.
 */
const cell = (value: Cell): string => {
  if (value === null) return "";
  const text = typeof value === "string" ? guarded(value) : String(value);
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
