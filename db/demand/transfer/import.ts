import type { Manager } from "../../accounts/actor.ts";
import { unlessKnown, type Db } from "../../core/client.ts";
import { ChangedMeanwhileError, violatedCheck, violatesForeignKey, type Refusal } from "../../core/errors.ts";
import type { Changed } from "../../documents/outdate.ts";
import { findNamed } from "./find.ts";
import { refusalOf } from "./judge.ts";
import type { OfferRow, RowResult } from "./rows.ts";
import { tellResults, writeRows } from "./write.ts";

/** Returns the results that a known idempotency key keeps of an import. */
const toldBefore = async (db: Db): Promise<RowResult[]> => {
  const [{ rows }] = await db.change([tellResults(db, [])]);
  return rows[0]?.results ?? [];
};

const refusedRow = (nr: number, { code, message, details }: Refusal): RowResult => ({
  nr,
  refusal: { code, message, details },
});

/**
 * Creates and changes offers, in two round trips however many rows there are: one looks up what they name, the other
 * writes the valid ones.
 *
 * @param isAtomic writes nothing when any row is refused
 * @param isStopped says that a row was refused before, so that these are only judged
 * @returns what became of each row, in their order; with `isAtomic` and a refusal, only the refused rows
 * @throws {ChangedMeanwhileError} when what rows name was changed between the two round trips; nothing is written then
 */
export const importOffers = async (
  db: Db,
  manager: Manager,
  rows: readonly OfferRow[],
  isAtomic: boolean,
  isStopped: boolean,
): Promise<Changed<RowResult[]>> => {
  const found = await unlessKnown(db, () => findNamed(db, manager, rows));
  if (!found) return { value: await toldBefore(db), outdated: [] };
  const judged = rows.map((row) => ({ row, refusal: refusalOf(row, found) }));
  const right = judged.flatMap(({ row, refusal }) => (refusal ? [] : [row]));
  const refused = judged.flatMap(({ row, refusal }) => (refusal ? [refusedRow(row.nr, refusal)] : []));
  if (right.length === 0 || isStopped || (isAtomic && refused.length > 0)) return { value: refused, outdated: [] };
  try {
    return await writeRows(db, right, found, refused);
  } catch (error) {
    if (violatedCheck(error) !== null || violatesForeignKey(error)) throw new ChangedMeanwhileError();
    throw error;
  }
};
