/** Tells why a text is no CSV, and in which line of it. */
export class CsvError extends Error {
  override readonly name = "CsvError";
}

const CELL_END = /[,\r\n"]/g;

/**
 * Reads CSV by RFC 4180: cells between commas, quoted where they hold commas, quotes or line breaks. Lines end with CR LF or
 * LF; empty ones are left out, and so is a byte order mark.
 *
 * @param most ends reading behind so many lines
 * @returns the cells of each line
 * @throws {CsvError} for a quote where none may be, or one that is never closed
 */
export const parseCsv = (text: string, most = Number.POSITIVE_INFINITY): string[][] => {
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
    CELL_END.lastIndex = at;
    const end = CELL_END.exec(text)?.index ?? text.length;
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
    if (next !== undefined && !/[,\r\n]/.test(next)) throw new CsvError(`line ${line}: text behind a closing quote`);
    if (next === ",") {
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
