import * as z from "zod";
import { CURRENCIES, PAYMENT_TYPES } from "../../db/schema/values.ts";
import { once } from "../once.ts";
import { isCountry } from "../serving/country.ts";

const DEFAULT_COUNT = 4;
const MAX_COUNT = 20;

const ALIASES = new Map([
  ["at.fname", "at.firstname"],
  ["at.lname", "at.lastname"],
  ["at.mobile", "at.phone"],
  ["at.order_id", "at.orderid"],
  ["at.ordervalue", "at.amount"],
  ["at.payment_type", "at.paymenttype"],
]);

const text = (max?: number) => {
  const plain = z.string().refine((value) => !value.includes("\0"), "must not contain the NUL character");
  return max === undefined ? plain : plain.max(max, `must have at most ${max} characters`);
};

/** How a customer's e-mail comes: the address, or its SHA-256. */
export const customerEmail = () =>
  text(320)
    .trim()
    .toLowerCase()
    .regex(
      /^(?:[0-9a-f]{64}|[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+)$/,
      "must be an e-mail address or its SHA-256 in 64 hex digits",
    );

/** A code of ASCII letters in either case; `toUpperCase` alone would make codes of other letters, such as SS of ß. */
const code = (known: (value: string) => boolean, message: string) =>
  z
    .string()
    .refine((value) => /^[A-Za-z]+$/.test(value) && known(value.toUpperCase()), message)
    .toUpperCase();

const querySchema = once(() =>
  z.object({
    placementId: text(),
    sessionId: text(500),
    count: z
      .string()
      .regex(/^0*[1-9]\d*$/, "must be an integer of at least 1")
      .transform((digits) => Math.min(Number(digits), MAX_COUNT))
      .default(DEFAULT_COUNT),
    "at.email": customerEmail().optional(),
    "at.firstname": text().optional(),
    "at.lastname": text().optional(),
    "at.phone": z
      .string()
      .refine((value) => /^\d{10,15}$/.test(value.replaceAll(/[\s().+-]/g, "")), "must have 10 to 15 digits")
      .optional(),
    "at.country": code(isCountry, "must be a two-letter ISO 3166-1 country code").optional(),
    "at.language": z
      .string()
      .regex(/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*$/, "must be a language code such as en or en-US")
      .transform((tag) => tag.split(/[-_]/, 1).join("").toLowerCase())
      .optional(),
    "at.address": text(500).optional(),
    "at.zipcode": text(20).optional(),
    "at.orderid": text(100).optional(),
    "at.amount": z
      .string()
      .regex(/^-?(?:\d+\.?\d*|\.\d+)$/, "must be a number")
      .transform(Number)
      .refine((amount) => amount >= 0 && amount <= 1_000_000, "must be between 0 and 1000000")
      .optional(),
    "at.currency": code((value) => CURRENCIES.includes(value), "must be a supported currency code").optional(),
    "at.billingaddress1": text(500).optional(),
    "at.billingzipcode": text(20).optional(),
    "at.paymenttype": z.enum(PAYMENT_TYPES, `must be one of ${PAYMENT_TYPES.join(", ")}`).optional(),
  }),
);

/** A valid request for offers, under the contract's canonical parameter names. */
export type OfferQuery = z.output<ReturnType<typeof querySchema>>;

/** What is wrong with a request for offers: parameters that are missing, and those that break a rule. */
export type QueryProblems = { missingFields: string[]; invalidFields: { field: string; message: string }[] };

/** Values under their canonical names; a blank one is absent, and a canonical name wins over its alias. */
const canonical = (query: Record<string, string>): Record<string, string> => {
  const values: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const name of Object.keys(query)) {
    const value = (query[name] ?? "").trim();
    if (value === "") continue;
    const meant = ALIASES.get(name);
    if (meant === undefined) values[name] = value;
    else values[meant] ??= value;
  }
  return values;
};

const missing = (values: Record<string, string>): string[] => [
  ...["placementId", "sessionId"].filter((name) => !Object.hasOwn(values, name)),
  ...(Object.hasOwn(values, "at.email") || Object.hasOwn(values, "at.orderid") ? [] : ["at.email", "at.orderid"]),
];

/**
 * Reads the parameters of a request for offers by the contract's 4.3.
 *
 * @param query the first value of each parameter, decoded
 */
export const parseOfferQuery = (
  query: Record<string, string>,
): { query: OfferQuery; problems?: never } | { query?: never; problems: QueryProblems } => {
  const values = canonical(query);
  const result = querySchema().safeParse(values);
  const missingFields = missing(values);
  if (result.success && missingFields.length === 0) return { query: result.data };
  const invalidFields = (result.error?.issues ?? [])
    .map((issue) => ({ field: String(issue.path[0]), message: issue.message }))
    .filter((problem) => !missingFields.includes(problem.field));
  return { problems: { missingFields, invalidFields } };
};
