import type { Imported, ImportedRow } from "#client";
import { linesOf } from "../../api/problem.ts";
import { count, plural } from "../../core/format.ts";
import type { Source } from "./source.ts";

/** Says how rows are imported: all or none of them, and as new offers of an advertiser if one is named. */
export type How = { isAtomic: boolean; isCopy: boolean; copyTo: string };

/** Holds the result of rows, or of a trial, and how they were sent. */
export type Outcome = { source: Source; how: How; isDone: boolean; isReplayed: boolean; data: Imported };

/** Counts the valid rows that are not imported because others are refused. */
const skippedOf = ({ rows }: Imported): number => rows.filter(({ status }) => status === "skipped").length;

/** Says in one sentence what happened to all rows, or would happen. */
export const sumOf = ({ data, isDone }: Outcome): string => {
  const { created, updated, refused } = data;
  const skipped = skippedOf(data);
  const would = isDone ? "" : "would be ";
  const parts = [
    `${plural(created, "offer")} ${would}created`,
    `${count(updated)} ${would}changed`,
    `${plural(refused, "row")} ${would}refused`,
    ...(skipped > 0 ? [`${count(skipped)} ${would}skipped`] : []),
  ];
  return `${parts.join(", ")}.`;
};

/** Lists what is wrong with a refused row. */
export const wrongWith = ({ error }: ImportedRow): string[] => {
  if (!error) return [];
  const { lead, texts } = linesOf({ message: error.message, details: error.details });
  return texts.length > 0 ? texts : [`${lead} (${error.code})`];
};

/** Returns the name of a row's offer, if the row has one. */
export const nameOf = ({ source }: Outcome, { row }: ImportedRow): string => source.rows[row - 1]?.name ?? "";

const refusedOf = ({ data }: Outcome): ImportedRow[] => data.rows.filter(({ status }) => status === "refused");

/** Writes what is wrong with each refused row, one line for each. */
export const problemsText = (outcome: Outcome): string =>
  refusedOf(outcome)
    .map((row) => {
      const name = nameOf(outcome, row);
      return `Row ${row.row}${name === "" ? "" : ` (${name})`}: ${wrongWith(row).join("; ")}\n`;
    })
    .join("");

/** Returns the refused rows as they were sent, to be corrected and imported again. */
export const refusedText = (outcome: Outcome): string => {
  const { head, rows } = outcome.source;
  const texts = refusedOf(outcome).map(({ row }) => rows[row - 1]?.text ?? "");
  return head + texts.map((text) => (text.endsWith("\n") ? text : `${text}\n`)).join("");
};
