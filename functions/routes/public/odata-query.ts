import type { HonoRequest } from "hono";
import * as z from "zod";
import { isId } from "../../../db/core/ids.ts";
import { MOST_OFFERS, USUAL_OFFERS } from "../../../db/documents/candidates/room.ts";
import { CURRENCIES, PAYMENT_TYPES } from "../../../db/schema/values.ts";
import { MAX_EMAIL, MAX_SESSION } from "../../core/customer-limits.ts";
import { once } from "../../core/calls/once.ts";
import { remembering } from "../../core/calls/remember.ts";
import type { Arm } from "../../decision/arms.ts";
import { isCountry, UNKNOWN_COUNTRY } from "../../decision/country.ts";
import type { DecisionRequest } from "../../decision/eligibility.ts";
import { languageCode } from "../../decision/language.ts";
import { ApiError } from "../../http/errors.ts";
import { code } from "../../http/input/codes.ts";
import { EMAIL_OR_HASH, ROUGHLY_EMAIL_OR_HASH } from "../../http/input/email.ts";

const MAX_SEEN = 50;

/** Lists other names that a parameter may have; its own name wins. */
export const ALIASES: Partial<Record<string, string>> = {
  "at.firstname": "at.fname",
  "at.lastname": "at.lname",
  "at.phone": "at.mobile",
  "at.orderid": "at.order_id",
  "at.amount": "at.ordervalue",
  "at.paymenttype": "at.payment_type",
};

/** Limits a value's length before anything else looks at it. */
const atMost = (max: number) =>
  z.string("must be a string").max(max, { error: `must have at most ${max} characters`, abort: true });

const text = (max?: number) =>
  (max === undefined ? z.string() : atMost(max)).refine(
    (value) => !value.includes("\0"),
    "must not contain the NUL character",
  );

/** Checks the length of a value whose own form is short. */
const short = () => atMost(500);

const NO_EMAIL = "must be an e-mail address or its SHA-256 in 64 hex digits";

/**
 * Checks a customer's e-mail: the address, or its SHA-256. A space inside was a plus: a page that puts an address into
 * a URL without encoding it turns one into the other, and addresses have no spaces.
 */
export const customerEmail = () =>
  text(MAX_EMAIL)
    .trim()
    .toLowerCase()
    .overwrite((address) => address.replaceAll(" ", "+"))
    .regex(ROUGHLY_EMAIL_OR_HASH, { error: NO_EMAIL, abort: true })
    .refine((value) => EMAIL_OR_HASH.test(value), NO_EMAIL);

/** Reads ids of offers, each once. Anything else is ignored, since no page should lose its offers over it. */
const seenOffers = (list: string): string[] | undefined => {
  const ids = list.split(",").filter((id) => isId("offer", id));
  return ids.length > 0 ? [...new Set(ids)].slice(0, MAX_SEEN) : undefined;
};

/** Returns the schema of each parameter. */
export const schemasOf = () => ({
  placementId: text(),
  sessionId: text(MAX_SESSION),
  count: short()
    .regex(/^0*[1-9]\d*$/, "must be an integer of at least 1")
    .transform((digits) => Math.min(Number(digits), MOST_OFFERS)),
  seen: z.string().transform(seenOffers),
  "at.email": customerEmail(),
  "at.firstname": text(),
  "at.lastname": text(),
  "at.phone": short().refine(
    (value) => /^\d{10,15}$/.test(value.replaceAll(/[\s().+/\u2010-\u2015-]/g, "")),
    "must have 10 to 15 digits",
  ),
  "at.country": code(short(), isCountry, "must be a two-letter ISO 3166-1 country code"),
  "at.language": short()
    .regex(/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*$/, "must be a language code such as en or en-US")
    .transform((tag) => languageCode(tag.split(/[-_]/, 1).join(""))),
  "at.address": text(500),
  "at.zipcode": text(20),
  "at.orderid": text(100),
  "at.amount": short()
    .regex(/^-?(?:\d+(?:\.\d*)?|\.\d+)$/, "must be a number")
    .transform(Number)
    .refine((amount) => amount >= 0 && amount <= 1_000_000, "must be between 0 and 1000000"),
  "at.currency": code(short(), (value) => CURRENCIES.includes(value), "must be a supported currency code"),
  "at.billingaddress1": text(500),
  "at.billingzipcode": text(20),
  "at.paymenttype": z.enum(PAYMENT_TYPES, `must be one of ${PAYMENT_TYPES.join(", ")}`),
});

type Schemas = ReturnType<typeof schemasOf>;
type Fields = { [Name in keyof Schemas]: z.output<Schemas[Name]> };
type Always = "placementId" | "sessionId" | "count";

/** Holds a valid request for offers, by the proper names of its parameters. */
export type OfferQuery = Pick<Fields, Always> & Partial<Omit<Fields, Always>>;

/** Lists what is wrong with a request for offers: parameters that are missing, and those that break a rule. */
export type QueryProblems = { missingFields: string[]; invalidFields: { field: string; message: string }[] };

/** Limits how many values of a parameter are remembered. */
const REMEMBERED = 500;

/** Holds a value as its schema reads it, and what is wrong with it. */
type Reading = { data?: unknown; messages: readonly string[] };

type Field = { name: string; alias: string | undefined; read: (value: string) => Reading };

/** Lists the parameters that come again and again with few different values. */
const REPEATED = new Set<string>([
  "placementId",
  "count",
  "at.country",
  "at.language",
  "at.amount",
  "at.currency",
  "at.paymenttype",
]);

const NONE: readonly string[] = [];

const readerOf =
  (schema: z.ZodType) =>
  (value: string): Reading => {
    const { success, data, error } = schema.safeParse(value);
    return success ? { data, messages: NONE } : { messages: error.issues.map(({ message }) => message) };
  };

const fieldsOf = once(() =>
  Object.entries(schemasOf()).map(([name, schema]): Field => {
    const read = readerOf(schema);
    return { name, alias: ALIASES[name], read: REPEATED.has(name) ? remembering(REMEMBERED, read) : read };
  }),
);

/** Lists all parameters of a request for offers, with their other names and the public key. */
export const parameterNames = (): string[] => [
  "publicKey",
  ...fieldsOf().flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias])),
];

/** Returns the value of a parameter; a blank one counts as absent. */
const valueOf = (parameters: ReadonlyMap<string, string>, name: string): string | undefined =>
  parameters.get(name)?.trim() || undefined;

/** Lists the required parameters that a request lacks: placement, session, and e-mail or order. */
const missingOf = (query: Record<string, unknown>, invalidFields: QueryProblems["invalidFields"]): string[] => {
  const lacks = (name: string) => query[name] === undefined && !invalidFields.some(({ field }) => field === name);
  const either = ["at.email", "at.orderid"];
  const missing = ["placementId", "sessionId"].filter(lacks);
  return either.every(lacks) ? [...missing, ...either] : missing;
};

/**
 * Reads the parameters of a request for offers (API.md, "GET /api/odata"). Most requests send only a few of many, so
 * each is checked on its own.
 *
 * @param parameters the first value of each parameter, decoded
 */
export const parseOfferQuery = (
  parameters: ReadonlyMap<string, string>,
): { query: OfferQuery; problems?: never } | { query?: never; problems: QueryProblems } => {
  const query: Record<string, unknown> = { count: USUAL_OFFERS };
  const invalidFields: QueryProblems["invalidFields"] = [];
  for (const { name, alias, read } of fieldsOf()) {
    const value = valueOf(parameters, name) ?? (alias && valueOf(parameters, alias));
    if (!value) continue;
    const { data, messages } = read(value);
    if (data !== undefined) query[name] = data;
    for (const message of messages) invalidFields.push({ field: name, message });
  }
  const missingFields = missingOf(query, invalidFields);
  if (missingFields.length > 0 || invalidFields.length > 0) return { problems: { missingFields, invalidFields } };
  return { query: query as OfferQuery };
};

/** Makes the refusal of parameters that are missing or break a rule. */
export const invalidRequest = ({ missingFields, invalidFields }: QueryProblems): ApiError => {
  const problems = invalidFields.map(({ field, message }) => `${field} ${message}`);
  const message = [
    ...(missingFields.length > 0 ? [`Required parameters are missing: ${missingFields.join(", ")}`] : []),
    ...(problems.length > 0 ? [`Parameters are invalid: ${problems.join("; ")}`] : []),
  ].join(". ");
  const details = { missingFields, ...(invalidFields.length > 0 ? { invalidFields } : {}) };
  return new ApiError("VALIDATION_FAILED", message, { shape: "B", details });
};

/** Makes the refusal of a placement that does not exist, or is not the caller's. */
export const unknownPlacement = (placementId: string): ApiError =>
  new ApiError("NOT_FOUND", "No placement has this id", { details: { placementId } });

/** Returns the customer's country: the one that the store states, or else the one that the edge sees. */
export const countryOf = (request: HonoRequest, query: OfferQuery): string => {
  const named = query["at.country"];
  if (named !== undefined) return named;
  const edge = request.raw.cf?.country;
  return typeof edge === "string" && isCountry(edge) ? edge : UNKNOWN_COUNTRY;
};

/** Returns the customer's language: the one that the store states, or else the one that the browser prefers. */
const languageOf = (request: HonoRequest, query: OfferQuery): string | undefined => {
  if (query["at.language"] !== undefined) return query["at.language"];
  const preferred = /^[A-Za-z]{2,3}(?![A-Za-z])/.exec(request.header("accept-language") ?? "");
  return preferred ? languageCode(preferred[0]) : undefined;
};

/** Returns what the decision depends on in a request of a session in an arm. A forgotten member does not compile. */
export const decisionRequest = (request: HonoRequest, query: OfferQuery, arm: Arm): Required<DecisionRequest> => ({
  count: query.count,
  session: query.sessionId,
  arm,
  now: Date.now(),
  language: languageOf(request, query),
  currency: query["at.currency"],
  amount: query["at.amount"],
  paymentType: query["at.paymenttype"],
  seen: query.seen,
});
