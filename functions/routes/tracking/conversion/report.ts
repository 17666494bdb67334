import type { Context } from "hono";
import * as z from "zod";
import { idTime, newId, withPrefix } from "../../../../db/core/ids.ts";
import { CURRENCIES, type ConversionState } from "../../../../db/schema/values.ts";
import { findReported, type Click, type Reported } from "../../../../db/tracking/conversions/find.ts";
import { awaitClick } from "../../../../db/tracking/conversions/pending.ts";
import { recordHits } from "../../../../db/tracking/recording/events.ts";
import type { Conversion } from "../../../../db/tracking/hits.ts";
import { once } from "../../../core/calls/once.ts";
import { publishCounted } from "../../../documents/publish.ts";
import { ApiError } from "../../../http/errors.ts";
import { isPixel, PIXEL } from "../../../http/answers/pixel.ts";
import { isPrefetch } from "../../../http/prefetch.ts";
import { code } from "../../../http/input/codes.ts";
import { text } from "../../../http/input/fields.ts";
import { MICROS } from "../../../../db/core/money.ts";
import { checkReport } from "./check.ts";
import type { ConversionEnv } from "./credential.ts";
import { parse, sent, textFlag } from "./input.ts";

const MAX_AMOUNT = 1_000_000;
const NO_CURRENCY = "must be a supported currency code";

/** Checks the fields of a report, each by itself. */
export const reportFields = () =>
  z.object({
    clickId: text().regex(/^[0-7][0-9a-hjkmnp-tv-z]{25}-[0-7][0-9a-hjkmnp-tv-z]{25}$/, "is not a click id"),
    transactionId: text(),
    amount: z
      .string("must be a number")
      .max(100, { error: "must be a number", abort: true })
      .regex(/^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e-?\d+)?$/, { error: "must be a number", abort: true })
      .transform(Number)
      .refine((amount) => amount >= 0 && amount <= MAX_AMOUNT, `must be between 0 and ${MAX_AMOUNT}`)
      .transform((amount) => Math.round(amount * MICROS))
      .optional(),
    currency: code(text(3, 1, NO_CURRENCY), (value) => CURRENCIES.includes(value), NO_CURRENCY).optional(),
    test: textFlag(),
  });

const reportSchema = once(() =>
  reportFields()
    .refine((body) => body.amount === undefined || body.currency !== undefined, {
      path: ["currency"],
      message: "is required with amount",
    })
    .transform(({ amount, currency, ...report }) => {
      const [decision = "", offer = ""] = report.clickId.split("-");
      const click = { decisionId: withPrefix("decision", decision), offerId: withPrefix("offer", offer) };
      return { ...report, ...click, amountMicros: amount ?? null, currency: currency ?? null };
    }),
);

type Report = z.output<ReturnType<typeof reportSchema>>;

/** Tells whether a transaction is not settled, so that a report of it may still count. */
const isOpen = ({ known }: Reported): boolean =>
  known === null || known.state === "pending" || known.state === "expired";

const conversionOf = (click: Click, report: Report, { known }: Reported, now: number): Conversion => {
  // A waiting conversion is stored under its own id, whoever records it first.
  const isWaiting = known?.state === "pending";
  return {
    id: isWaiting ? known.eventId : newId("event"),
    kind: "conversion",
    reason: null,
    issuedAt: idTime(click.decisionId),
    occurredAt: isWaiting ? Date.parse(known.reportedAt) : now,
    decisionId: click.decisionId,
    placementId: click.placementId,
    offerId: click.offerId,
    revision: click.revision,
    creative: click.creative,
    place: click.place,
    arm: click.arm,
    part: click.part,
    country: click.country,
    sessionHash: click.sessionHash,
    emailHash: click.emailHash,
    addressHash: null,
    transactionId: report.transactionId,
    amountMicros: report.amountMicros,
    currency: report.currency,
  };
};

/** Returns the state that a report has, or would have if it were not a test. */
const stateOf = (found: Reported): ConversionState => {
  if (found.known && !isOpen(found)) return found.known.state;
  if (!found.click) return "pending";
  return found.isOverCap ? "over_cap" : "counted";
};

/** Tells whether a request reports nothing: a HEAD of a URL with a report, or one fetched before its page is seen. */
const isIdle = (c: Context): boolean => c.req.method === "HEAD" || (c.req.method === "GET" && isPrefetch(c));

type Result = { counted: boolean; state: ConversionState; test?: true };

const answer = (c: Context<ConversionEnv>, data: Result): Response => {
  if (isPixel(c)) {
    return c.body(PIXEL, 200, { "Content-Type": "image/gif", "Cross-Origin-Resource-Policy": "cross-origin" });
  }
  const message = data.test ? "Test received; nothing was counted" : "Conversion received";
  return c.json({ success: true, data, message }, data.state === "pending" ? 202 : 200);
};

const onlyAsked = () =>
  new ApiError("VALIDATION_FAILED", "`test` works with the conversion secret only; leave it out", {
    shape: "B",
    details: { invalidFields: [{ field: "test", message: "may only be asked with the conversion secret" }] },
  });

/**
 * Takes an advertiser's report that a click became a customer. The advertiser's own transaction id makes repeating it
 * harmless. A report that comes before its click waits for it.
 *
 * @throws {ApiError} 400 for the fields and for `test` with a pixel key, and what {@link checkReport} refuses
 */
export const report = async (c: Context<ConversionEnv>): Promise<Response> => {
  const input = await sent(c, ["test"]);
  const reported = parse(reportSchema(), input);
  const { db, advertiserId, hasPixelKey } = c.var;
  if (hasPixelKey && reported.test) throw onlyAsked();
  // A pixel key may not ask, and what is fetched ahead of time reports nothing.
  if (hasPixelKey && isIdle(c)) return answer(c, { counted: false, state: "pending", test: true });
  const now = Date.now();
  const find = async () => {
    const found = await findReported(db, advertiserId, reported);
    checkReport(c.var, found, reported, now);
    return found;
  };
  let found = await find();
  if (reported.test || isIdle(c)) {
    return answer(c, { counted: false, state: stateOf(found), test: true });
  }
  if (!found.click && isOpen(found)) {
    await awaitClick(db, { ...reported, id: newId("event"), advertiserId, occurredAt: now });
    found = await find();
  }
  if (!found.click) return answer(c, { counted: false, state: stateOf(found) });
  const conversion = conversionOf(found.click, reported, found, now);
  const outcome = publishCounted(c, await recordHits(db, [conversion])).get(conversion.id);
  if (outcome === "counted") return answer(c, { counted: true, state: outcome });
  // It is past a cap, or the transaction was settled already: by an earlier report, or by another request just now.
  return answer(c, { counted: false, state: stateOf(await find()) });
};
