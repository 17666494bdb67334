/** Says why a text is not CSV, and in which line. */
export class CsvError extends Error {
  override readonly name = "CsvError";
}

/** Maps the separator between cells to the pattern of what ends one. */
const CELL_ENDS = { ",": /[,\r\n"]/g, ";": /[;\r\n"]/g, "\t": /[\t\r\n"]/g };

/** Names the separators that may stand between cells. */
export type Separator = keyof typeof CELL_ENDS;

/**
 * Tells the separator of a text whose first line names columns without separators in their names: commas; or else
 * semicolons, as spreadsheets write where numbers have decimal commas; or else tabs, as in cells copied from one.
 */
export const separatorOf = (text: string): Separator => {
  const [first = ""] = /[^\r\n]+/.exec(text) ?? [];
  const all = Object.keys(CELL_ENDS) as Separator[];
  return all.find((separator) => first.includes(separator)) ?? ",";
};

/**
 * Reads CSV by RFC 4180: cells between separators, quoted where they hold those, quotes or line breaks. Lines end with
 * CR LF or LF; empty ones are left out, and so is a byte order mark.
 *
 * @param most ends reading after so many lines
 * @returns the cells of each line
 * @throws {CsvError} for a quote where none may be, or one that is never closed
 */
export const parseCsv = (text: string, most = Number.POSITIVE_INFINITY, separator: Separator = ","): string[][] => {
  const cellEnd = CELL_ENDS[separator];
  const rows: string[][] = [];
  let row: string[] = [];
  let line = 1;
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  const quoted = (): string => {
    const opened = line;
    let cell = "";
    for (let from = at + 1; ; from = at + 2, cell += '"') {
      const end = text.indexOf('"', from);
      if (end === -1) throw new CsvError(`line ${opened}: a quote is never closed`);
      const part = text.slice(from, end);
      for (const char of part) if (char === "\n") line += 1;
      cell += part;
      at = end;
      if (text[end + 1] !== '"') break;
    }
    at += 1;
    return cell;
  };
  const plain = (): string => {
    cellEnd.lastIndex = at;
    const end = cellEnd.exec(text)?.index ?? text.length;
    const cell = text.slice(at, end);
    at = end;
    return cell;
  };
  const endRow = () => {
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  };
  while (at <= text.length && rows.length < most) {
    row.push(text[at] === '"' ? quoted() : plain());
    const next = text[at];
    if (next === '"') throw new CsvError(`line ${line}: a cell that holds quotes must be quoted, and they doubled`);
    if (next !== undefined && next !== separator && next !== "\r" && next !== "\n")
      throw new CsvError(`line ${line}: text behind a closing quote`);
    if (next === separator) {
      at += 1;
      continue;
    }
    if (next === "\r" && text[at + 1] !== "\n") throw new CsvError(`line ${line}: a line break must be quoted`);
    endRow();
    at += next === "\r" ? 2 : 1;
    line += 1;
  }
  return rows;
};
