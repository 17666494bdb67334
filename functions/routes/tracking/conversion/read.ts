import type { Context } from "hono";
import * as z from "zod";
import { CONVERSION_STATES } from "../../../../db/schema/values.ts";
import { findConversion } from "../../../../db/tracking/conversions/find.ts";
import { listConversions } from "../../../../db/tracking/conversions/list.ts";
import { once } from "../../../core/calls/once.ts";
import { DAY_MS, dayOf } from "../../../../db/core/time.ts";
import { listAnswer } from "../../../http/answers/list.ts";
import { day, rangeProblem } from "../../../http/input/days.ts";
import { oneOf, page, text } from "../../../http/input/fields.ts";
import { conversionData, sumData, unknownTransaction } from "./answer.ts";
import type { ConversionEnv } from "./credential.ts";
import { parse, sent, type Sent } from "./input.ts";

/** Sets how many days are listed when none are named, today included. */
const LISTED_DAYS = 30;

/** Checks the parameter that asks for one transaction. */
export const transactionFields = () => z.object({ transactionId: text() });

const transactionSchema = once(transactionFields);

const readOne = async (c: Context<ConversionEnv>, input: Sent): Promise<Response> => {
  const { transactionId } = parse(transactionSchema(), input);
  const conversion = await findConversion(c.var.db, { advertiserId: c.var.advertiserId, transactionId });
  if (!conversion) throw unknownTransaction(transactionId);
  return c.json({ success: true, data: conversionData(conversion) });
};

type Days = Partial<Record<"day" | "dateStart" | "dateEnd", string | undefined>>;

/** Returns the range of days that is asked for, or the wrong field and what is wrong with it. */
const rangeOf = ({ day: only, dateStart, dateEnd }: Days): { from: string; to: string } | [string, string] => {
  if (only !== undefined && (dateStart ?? dateEnd) !== undefined)
    return ["day", "cannot come with dateStart or dateEnd"];
  if (dateStart === undefined && dateEnd !== undefined) return ["dateStart", "is required with dateEnd"];
  if (dateStart !== undefined && dateEnd === undefined) return ["dateEnd", "is required with dateStart"];
  const now = Date.now();
  const from = only ?? dateStart ?? dayOf(now - (LISTED_DAYS - 1) * DAY_MS);
  const to = only ?? dateEnd ?? dayOf(now);
  const [field, message] = rangeProblem({ dateStart: from, dateEnd: to }, now)?.split(": ") ?? [];
  if (field === undefined || message === undefined) return { from, to };
  return [only === undefined ? field : "day", message];
};

/** Checks the parameters of a list, each by itself. */
export const listFields = () =>
  z.object({
    ...page(),
    day: day().optional(),
    dateStart: day().optional(),
    dateEnd: day().optional(),
    state: oneOf(CONVERSION_STATES).optional(),
  });

const listSchema = once(() =>
  listFields().transform(({ skip, take, state, ...days }, context) => {
    const range = rangeOf(days);
    if (!Array.isArray(range)) return { filter: { ...range, state }, page: { skip, take } };
    const [field, message] = range;
    context.addIssue({ code: "custom", path: [field], message });
    return z.NEVER;
  }),
);

const list = async (c: Context<ConversionEnv>, input: Sent): Promise<Response> => {
  const { filter, page: wanted } = parse(listSchema(), input);
  const { rows, total, sums } = await listConversions(c.var.db, c.var.advertiserId, filter, wanted);
  const listed = listAnswer({ rows: rows.map(conversionData), total }, wanted);
  return c.json({ ...listed, summary: sums.map(sumData) });
};

/** Lists an advertiser's own conversions, or answers with the state of one of its transactions. */
export const readConversions = async (c: Context<ConversionEnv>): Promise<Response> => {
  const input = await sent(c);
  return c.req.query("transactionId") === undefined ? list(c, input) : readOne(c, input);
};
