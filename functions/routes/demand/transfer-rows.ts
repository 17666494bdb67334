import type * as z from "zod";
import { MOST_CREATIVES } from "../../../db/schema/creatives.ts";
import type { CreativeRow, OfferRow, RowResult } from "../../../db/demand/transfer/rows.ts";
import { InvalidFieldError, NotFoundError, Refusal, type FieldProblem } from "../../../db/core/errors.ts";
import { isId } from "../../../db/core/ids.ts";
import { once } from "../../core/calls/once.ts";
import { memberOf } from "../../core/objects.ts";
import { toldOf } from "../../http/errors.ts";
import { text } from "../../http/input/fields.ts";
import { faultsOf } from "../../http/input/faults.ts";
import { NOT_KNOWN, unknownMembers } from "../../http/input/strict.ts";
import {
  creativeBody,
  creativeChange,
  creativeChangeOf,
  creativeInput,
  READ_ONLY as OF_CREATIVES,
} from "./creative-body.ts";
import { changeOf, inputOf, offerBody, offerChange, READ_ONLY } from "./offer-body.ts";
import type { Sent } from "./transfer-csv.ts";

const newOffer = once(() => offerBody().extend({ advertiserId: text() }));
const oldOffer = once(() => offerChange());
const newCreative = once(() => creativeBody());
const oldCreative = once(() => creativeChange());

/**
 * Limits how many problems of a row are kept, since they become a call's arguments. Far fewer are shown ({@link
 * toldOf}).
 */
const MOST_PROBLEMS = 10_000;

const BESIDES = [...READ_ONLY, "creatives"];
const BESIDES_CREATIVES = [...OF_CREATIVES, "offerId"];

/** Lists what is wrong with a value by its schema, with the path of the value in front. */
const problemsOf = (schema: z.ZodType, value: unknown, known: readonly string[], prefix = ""): FieldProblem[] => {
  const { error } = schema.safeParse(value);
  const wrong = (error ? faultsOf(error) : []).map(({ path, message }): FieldProblem => [prefix + path, message]);
  return [...wrong, ...unknownMembers(schema, value, known, prefix).map((name): FieldProblem => [name, NOT_KNOWN])];
};

/** Returns the id of what a value is to change; null for something new. */
const idIn = (value: unknown, isCopy: boolean): string | null => {
  const id = memberOf(value, "id");
  return isCopy || id === undefined || id === null || id === ""
    ? null
    : typeof id === "string"
      ? id
      : JSON.stringify(id);
};

const creativesIn = (value: unknown, isNew: boolean): CreativeRow[] | FieldProblem[] => {
  const sent = memberOf(value, "creatives") ?? [];
  if (!Array.isArray(sent)) return [["creatives", "must be an array"]];
  // No offer has more. Checking more would keep everything else in the isolate waiting.
  if (sent.length > MOST_CREATIVES) return [["creatives", `must have at most ${MOST_CREATIVES} entries`]];
  const problems: FieldProblem[] = [];
  const creatives = sent.flatMap((creative: unknown, i): CreativeRow[] => {
    const id = idIn(creative, isNew);
    const schema = id === null ? newCreative() : oldCreative();
    const wrong = problemsOf(schema, creative, BESIDES_CREATIVES, `creatives.${i}.`);
    if (wrong.length > 0) {
      for (const problem of wrong) problems.push(problem);
      return [];
    }
    if (id === null) return [{ id, input: creativeInput(newCreative().parse(creative)) }];
    const { offerId: _, ...change } = creativeChangeOf(oldCreative().parse(creative));
    return [{ id, change: change as Extract<CreativeRow, { id: string }>["change"] }];
  });
  const ids = creatives.flatMap(({ id }) => (id === null ? [] : [id]));
  if (new Set(ids).size < ids.length) problems.push(["creatives", "must not have the same id twice"]);
  return problems.length > 0 ? problems : creatives;
};

const isProblems = (list: CreativeRow[] | FieldProblem[]): list is FieldProblem[] => Array.isArray(list[0]);

/**
 * Reads a row: a new offer, or a change of the one whose id it has.
 *
 * @param nr the row's number, from 1
 * @param copyTo the advertiser for which all rows create new offers; undefined if the rows name their own
 * @returns the row, or why it is refused
 */
const readRow = (sent: Sent, nr: number, copyTo?: string): OfferRow | Refusal => {
  if ("problem" in sent) return new InvalidFieldError(["row", sent.problem]);
  if (typeof sent.value !== "object" || sent.value === null || Array.isArray(sent.value)) {
    return new InvalidFieldError(["row", "must be a JSON object"]);
  }
  const value = copyTo === undefined ? sent.value : { ...sent.value, advertiserId: copyTo };
  const id = idIn(value, copyTo !== undefined);
  const creatives = creativesIn(value, id === null);
  const wrong = problemsOf(id === null ? newOffer() : oldOffer(), value, BESIDES);
  if (wrong.length > 0 || isProblems(creatives)) {
    const all = isProblems(creatives) ? [...wrong, ...creatives] : wrong;
    return new InvalidFieldError(...all.slice(0, MOST_PROBLEMS));
  }
  if (id !== null) {
    if (!isId("offer", id)) return new NotFoundError("Offer", id);
    return { nr, id, change: changeOf(oldOffer().parse(value)), creatives };
  }
  const { advertiserId, ...body } = newOffer().parse(value);
  if (!isId("advertiser", advertiserId)) return new NotFoundError("Advertiser", advertiserId);
  return { nr, id, advertiserId, input: inputOf(body), creatives };
};

/** Sets after how many rows other requests of the isolate have their turn. */
const ROWS_A_TURN = 10;

/** Holds the result of a refused row. */
type RefusedRow = Extract<RowResult, { refusal: unknown }>;

/**
 * Returns the result of a refused row, with no more than the endpoint for one offer would answer, however much was
 * sent.
 */
export const refusedRow = (nr: number, { code, message, details }: RefusedRow["refusal"]): RefusedRow => ({
  nr,
  refusal: { code, details, ...toldOf(message, details) },
});

/**
 * Reads the rows of an import, and refuses those with the id of an earlier one.
 *
 * @param copyTo as for {@link readRow}
 * @param giveWay is awaited before each ten rows: a thousand take so long that other requests would notice
 */
export const readRows = async (
  sent: readonly Sent[],
  copyTo: string | undefined,
  giveWay: () => Promise<void>,
): Promise<(OfferRow | RefusedRow)[]> => {
  const first = new Map<string, number>();
  const rows: (OfferRow | RefusedRow)[] = [];
  for (const [i, one] of sent.entries()) {
    if (i % ROWS_A_TURN === 0) await giveWay();
    const row = readRow(one, i + 1, copyTo);
    const twin = row instanceof Refusal || row.id === null ? undefined : first.get(row.id);
    const read = twin === undefined ? row : new InvalidFieldError(["id", `comes twice; row ${twin} has it`]);
    if (read instanceof Refusal) {
      rows.push(refusedRow(i + 1, read));
      continue;
    }
    if (read.id !== null) first.set(read.id, read.nr);
    rows.push(read);
  }
  return rows;
};
