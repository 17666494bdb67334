import type { Context } from "hono";
import * as z from "zod";
import { findConversion } from "../../../../db/tracking/conversions/find.ts";
import { reverseConversion } from "../../../../db/tracking/conversions/reverse.ts";
import { once } from "../../../core/calls/once.ts";
import { publishCounted } from "../../../documents/publish.ts";
import { longText, text } from "../../../http/input/fields.ts";
import { conversionData, unknownTransaction } from "./answer.ts";
import type { ConversionEnv } from "./credential.ts";
import { parse, sent, textFlag } from "./input.ts";

/** Checks the fields of a reversal. */
export const reversalFields = () =>
  z.object({ transactionId: text(), reason: longText().optional(), test: textFlag() });

const reversalSchema = once(reversalFields);

/**
 * Takes a conversion back, for example after a refund. Repeating it is harmless.
 *
 * @throws {ApiError} 400 for the fields, 404 for an unknown transaction
 */
export const reverse = async (c: Context<ConversionEnv>): Promise<Response> => {
  const input = await sent(c, ["reason", "test"]);
  const { transactionId, reason, test } = parse(reversalSchema(), input);
  const { db, advertiserId } = c.var;
  const transaction = { advertiserId, transactionId };
  const conversion = test
    ? await findConversion(db, transaction)
    : publishCounted(c, await reverseConversion(db, transaction, reason ?? null));
  if (!conversion) throw unknownTransaction(transactionId);
  return c.json({
    success: true,
    data: { ...conversionData(conversion), ...(test ? { test } : {}) },
    message: test ? "Test received; nothing was reversed" : "Conversion reversed",
  });
};
