import type { Context } from "hono";
import * as z from "zod";
import { connect } from "../../../db/core/client.ts";
import { findReported, type Click } from "../../../db/tracking/conversions.ts";
import { recordHits } from "../../../db/tracking/events.ts";
import type { Conversion } from "../../../db/tracking/hits.ts";
import { idTime, newId } from "../../../db/core/ids.ts";
import { CURRENCIES } from "../../../db/schema/values.ts";
import { isKey } from "../../../db/core/secrets.ts";
import { factory, type AppEnv } from "../../http/factory.ts";
import { bearerOf } from "../../http/credentials/auth.ts";
import { ApiError } from "../../http/errors.ts";
import { text } from "../../http/input/fields.ts";
import { limit } from "../../http/input/validate.ts";
import { once } from "../../core/once.ts";
import { DAY_MS } from "../../core/time.ts";
import { announce } from "../../documents/publish.ts";
import { documentKey } from "../../../db/documents/keys.ts";

const ATTRIBUTION_DAYS = 30;
const MAX_AMOUNT = 1_000_000;
const MICROS = 1_000_000;

const conversionSchema = once(() =>
  z
    .object({
      clickId: text().regex(/^[0-7][0-9a-hjkmnp-tv-z]{25}-[0-7][0-9a-hjkmnp-tv-z]{25}$/, "is not a click id"),
      transactionId: text(),
      amount: z
        .string("must be a number")
        .regex(/^-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?$/, { error: "must be a number", abort: true })
        .transform(Number)
        .refine((amount) => amount >= 0 && amount <= MAX_AMOUNT, `must be between 0 and ${MAX_AMOUNT}`)
        .optional(),
      currency: text(3)
        .toUpperCase()
        .refine((code) => CURRENCIES.includes(code), "must be a supported currency code")
        .optional(),
    })
    .refine((body) => body.amount === undefined || body.currency !== undefined, {
      path: ["currency"],
      message: "is required with amount",
    }),
);

type Report = z.output<ReturnType<typeof conversionSchema>>;

const unreadable = () => {
  throw new ApiError("VALIDATION_FAILED", "The request body is not what its Content-Type says", { shape: "B" });
};

/** Reads a POST's JSON or form fields. */
const bodyOf = async (c: Context<AppEnv>): Promise<unknown> => {
  if (c.req.method !== "POST") return {};
  const isJson = (c.req.header("content-type") ?? "").includes("json");
  return (isJson ? c.req.json<unknown>() : c.req.parseBody()).catch(unreadable);
};

/** Reads what was sent, by query or body, numbers as texts; a blank value or null counts as absent. */
const sent = async (c: Context<AppEnv>): Promise<Record<string, unknown>> => {
  const body = await bodyOf(c);
  const fields = Object.entries({ ...c.req.query(), ...(typeof body === "object" ? body : {}) })
    .map(([name, value]) => [name, typeof value === "number" ? String(value) : value] as const)
    .map(([name, value]) => [name, typeof value === "string" ? value.trim() : value] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== "" && value !== null));
};

/** Returns the secret, which comes as a bearer, or as `secret` from servers that can only call a URL. */
const secretOf = (c: Context<AppEnv>, fields: Record<string, unknown>): string => {
  const bearer = bearerOf(c);
  const secret = bearer === undefined ? fields["secret"] : bearer;
  if (typeof secret !== "string" || !isKey("conversion", secret)) throw unauthorized();
  return secret;
};

const unauthorized = () => new ApiError("UNAUTHORIZED", "A valid conversion secret is required");

const parse = (fields: Record<string, unknown>): Report => {
  const result = conversionSchema().safeParse(fields);
  if (result.success) return result.data;
  const invalidFields = result.error.issues.map(({ path, message }) => ({
    field: path.map(String).join("."),
    message,
  }));
  const message = `The conversion is invalid: ${invalidFields.map((problem) => `${problem.field} ${problem.message}`).join("; ")}`;
  throw new ApiError("VALIDATION_FAILED", message, { shape: "B", details: { invalidFields } });
};

const conversionOf = (click: Click, report: Report, now: number): Conversion => ({
  id: newId("event"),
  kind: "conversion",
  reason: null,
  issuedAt: idTime(click.decisionId),
  occurredAt: now,
  decisionId: click.decisionId,
  placementId: click.placementId,
  offerId: click.offerId,
  revision: click.revision,
  place: click.place,
  arm: click.arm,
  country: click.country,
  sessionHash: click.sessionHash,
  emailHash: click.emailHash,
  addressHash: null,
  transactionId: report.transactionId,
  amountMicros: report.amount === undefined ? null : Math.round(report.amount * MICROS),
  currency: report.currency ?? null,
});

/**
 * Takes an advertiser's report that a click became a customer. Its own transaction id makes repeating it harmless.
 *
 * @throws {ApiError} 401 for the secret, 400 for the fields, 404 for an unknown click, 403 for another advertiser's, 410
 *   for one that is too old
 */
const convert = async (c: Context<AppEnv>): Promise<Response> => {
  const fields = await sent(c);
  const secret = secretOf(c, fields);
  const report = parse(fields);
  const [decision = "", offer = ""] = report.clickId.split("-");
  const db = await connect(c.env.DATABASE_URL);
  const { advertiserId, click } = await findReported(db, secret, decision, offer);
  if (advertiserId === null) throw unauthorized();
  if (!click) throw new ApiError("NOT_FOUND", "No click has this id", { details: { clickId: report.clickId } });
  if (click.advertiserId !== advertiserId) throw new ApiError("FORBIDDEN", "This click belongs to another advertiser");
  const now = Date.now();
  if (now - click.clickedAt > ATTRIBUTION_DAYS * DAY_MS) {
    throw new ApiError("CLICK_EXPIRED", `A conversion counts for ${ATTRIBUTION_DAYS} days after its click`);
  }
  const conversions = c.req.method === "HEAD" ? [] : [conversionOf(click, report, now)];
  const { counted, capped } = await recordHits(db, conversions);
  announce(c, { value: undefined, outdated: capped ? [documentKey.network] : [] });
  return c.json({ success: true, data: { counted: counted > 0 }, message: "Conversion received" });
};

/** Answers `/conversion`, for advertisers' servers. */
export const conversion = factory.createApp().use(limit).on(["GET", "POST"], "/", convert);
