import type { Context } from "hono";
import * as z from "zod";
import { isObject } from "../../../core/objects.ts";
import { ApiError } from "../../../http/errors.ts";
import { decodePercent } from "../../../http/input/percent.ts";
import { readText } from "../../../http/input/utf8.ts";
import { faultsOf } from "../../../http/input/faults.ts";
import { NOT_KNOWN, unknownMembers } from "../../../http/input/strict.ts";
import type { ConversionEnv } from "./credential.ts";

/** Holds what was sent, in the URL or the body. */
export type Fields = Record<string, unknown>;

/** Holds what was sent, with the names that may not be unknown: those of the body's members. */
export type Sent = { fields: Fields; members: string[] };

const FORM = "application/x-www-form-urlencoded";

const refused = (problem: string) => new ApiError("VALIDATION_FAILED", problem, { shape: "B" });
const unreadable = () => {
  throw refused("The request body must be a JSON object, or a form as its Content-Type says");
};
const notUtf8 = () => refused("The request body must be UTF-8");
const garbled = () => {
  throw notUtf8();
};

/** Reads the fields of a form. Its type is also the one that curl sends for JSON by default. */
const formOf = (text: string): Fields => {
  if (/^\s*[{[]/.test(text)) {
    throw refused("The request body looks like JSON; send it with Content-Type: application/json");
  }
  const pairs = text.split("&").filter((pair) => pair !== "");
  const decoded = pairs.map((pair) => pair.split(/=(.*)/s).map((part) => decodePercent(part, garbled)));
  return Object.fromEntries(decoded.map(([name = "", value = ""]) => [name, value]));
};

/**
 * Returns a number that is used as an id in the form in which it was written: otherwise, digits beyond 15 would be
 * lost, and `1.50` would be `1.5`, so that two transactions could become one.
 */
const asWritten = (name: string, value: unknown, { source }: { source?: string } = {}): unknown =>
  typeof value === "number" && name !== "amount" ? source : value;

const jsonOf = (text: string): Fields => {
  try {
    const body: unknown = JSON.parse(text, asWritten);
    if (isObject(body)) return body;
  } catch {
    // What is no JSON is no object either.
  }
  return unreadable();
};

/** Reads a POST's JSON or form fields. Without a body, all may be in the URL. */
const bodyOf = async (c: Context<ConversionEnv>): Promise<Fields> => {
  if (c.req.method !== "POST") return {};
  const type = c.req.header("content-type")?.toLowerCase() ?? "";
  const text = await readText(c, notUtf8);
  if (type.includes("json")) return jsonOf(text);
  if (type.startsWith("multipart/form-data")) return c.req.parseBody().catch(unreadable);
  if (type.startsWith(FORM)) return formOf(text);
  if (text.trim() === "") return {};
  throw new ApiError(
    "UNSUPPORTED_MEDIA_TYPE",
    "The request body must be JSON or a form; send JSON with Content-Type: application/json",
  );
};

/** Returns a field as text. */
const textOf = (name: string, value: unknown): unknown => {
  if (typeof value === "string") return value.trim();
  return typeof value === "number" || (name === "test" && typeof value === "boolean") ? String(value) : value;
};

/**
 * Reads what was sent, numbers and flags as texts; a blank value or null counts as absent.
 *
 * @param told names the fields whose blank values are checked like any others
 */
export const sent = async (c: Context<ConversionEnv>, told: readonly string[] = []): Promise<Sent> => {
  const members = await bodyOf(c);
  const query = c.req.query();
  const fields = Object.entries({ ...query, ...members })
    .map(([name, value]) => [name, textOf(name, value)] as const)
    .filter(([name, value]) => (value !== "" || told.includes(name)) && value !== null);
  // Elsewhere `dryRun` tries a change. Here `test` does, and whoever mistook one for the other would be counted.
  const { dryRun } = query;
  const named = dryRun === undefined ? members : { ...members, dryRun };
  return { fields: Object.fromEntries(fields), members: Object.keys(named) };
};

/** Checks a flag that is sent as a text. */
export const textFlag = () =>
  z
    .enum(["true", "false"], "must be true or false")
    .default("false")
    .transform((text) => text === "true");

/**
 * Checks what was sent, and says for each wrong field what is wrong. Unknown members of a body are wrong: a misspelt
 * one would lose the advertiser's amount. Unknown parameters, except `dryRun`, are not, since servers and pixels add
 * their own.
 */
export const parse = <Schema extends z.ZodType>(schema: Schema, { fields, members }: Sent): z.output<Schema> => {
  const { data, error } = schema.safeParse(fields);
  const named = Object.fromEntries(members.map((name) => [name, null]));
  const unknown = unknownMembers(schema, named).map((field) => ({ field, message: NOT_KNOWN }));
  if (!error && unknown.length === 0) return data;
  const wrong = error && faultsOf(error).map(({ path, message }) => ({ field: path, message }));
  const invalidFields = [...(wrong ?? []), ...unknown];
  const problems = invalidFields.map(({ field, message }) => `${field} ${message}`).join("; ");
  throw new ApiError("VALIDATION_FAILED", `The conversion is invalid: ${problems}`, {
    shape: "B",
    details: { invalidFields },
  });
};
