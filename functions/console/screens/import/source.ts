import { parseCsv, separatorOf } from "../../../core/csv.ts";
import { MAX_IMPORT_BYTES, MAX_TRANSFERRED } from "../../../core/transfer-limits.ts";
import { count, plural } from "../../core/format.ts";
import { recordsOf } from "../../core/records.ts";

/** Names the forms in which rows are sent, by their content types. */
type Form = "text/csv" | "application/x-ndjson";

/**
 * Holds what is to be imported: the text as it is sent, and each of its rows with the offer's name, if there is one.
 */
export type Source = { text: string; form: Form; head: string; rows: readonly { name: string; text: string }[] };

/** Says why something cannot be imported. */
export type Unfit = { problem: string };

const MEGABYTE = 1024 * 1024;

/** Says how many megabytes may be imported at once. */
export const MOST_MB = MAX_IMPORT_BYTES / MEGABYTE;

/** Says that something is too large to be sent, or returns null. */
const tooLarge = (bytes: number): Unfit | null =>
  bytes <= MAX_IMPORT_BYTES
    ? null
    : {
        problem: `This is ${(Math.ceil((bytes / MEGABYTE) * 10) / 10).toFixed(1)} MB; at most ${MOST_MB} MB are taken at once. Import it in parts.`,
      };

const valueOf = (line: string): unknown => {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
};

const nameIn = (value: unknown): string =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string" ? value.name : "";

/** Reads lines of JSON, or one JSON text: a list of offers, or one offer over several lines. */
const fromJson = (text: string): Source => {
  const whole = valueOf(text);
  const lines =
    whole === undefined
      ? text.split("\n").filter((line) => line.trim() !== "")
      : [whole].flat().map((value) => JSON.stringify(value));
  const rows = lines.map((line) => ({ name: nameIn(valueOf(line)), text: `${line}\n` }));
  return { text: rows.map((row) => row.text).join(""), form: "application/x-ndjson", head: "", rows };
};

const fromCsv = (text: string): Source => {
  const [columns = [], ...lines] = parseCsv(text, undefined, separatorOf(text));
  const at = columns.indexOf("name");
  // Leaves out only the lines that `parseCsv` leaves out: a line of spaces is a row that the service refuses.
  const [head = "", ...records] = recordsOf(text).filter((record) => !/^(?:"")?\r?\n?$/.test(record));
  const rows = lines.map((cells, i) => ({ name: cells[at] ?? "", text: records[i] ?? "" }));
  return { text, form: "text/csv", head, rows };
};

/** Reads what somebody wants to import, in whichever form it is, and checks whether it may be sent. */
export const sourceOf = (written: string): Source | Unfit => {
  const text = written.replace(/^\uFEFF/, "");
  const large = tooLarge(new TextEncoder().encode(text).length);
  if (large) return large;
  try {
    const source = /^\s*[[{]/.test(text) ? fromJson(text) : fromCsv(text);
    const rows = source.rows.length;
    if (rows === 0) return { problem: "This has no rows." };
    if (rows <= MAX_TRANSFERRED) return source;
    return {
      problem: `This has ${plural(rows, "row")}, and at most ${count(MAX_TRANSFERRED)} are taken at once. Import it in parts.`,
    };
  } catch (error) {
    return { problem: `This is neither CSV nor JSON: ${error instanceof Error ? error.message : String(error)}.` };
  }
};

/** Reads a file, unless it is too large or not text. */
export const readFile = async (file: File): Promise<Source | Unfit> => {
  const large = tooLarge(file.size);
  if (large) return large;
  try {
    return sourceOf(new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()));
  } catch {
    return { problem: "This is not UTF-8 text, or cannot be read. Spreadsheets save that as “CSV UTF-8”." };
  }
};
