import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { validator } from "hono/validator";
import * as z from "zod";
import { memberOf } from "../../core/objects.ts";
import { once } from "../../core/calls/once.ts";
import { declaring, type BodyOptions, type EnumeratedField } from "../declared.ts";
import { ApiError, invalidInput } from "../errors.ts";
import { faultsOf, parameterFaultsOf } from "./faults.ts";
import { notUtf8, readText } from "./utf8.ts";
import { isRead, isStrict, NOT_KNOWN, strayMembers, unknownMembers, unknownParameters, type Part } from "./strict.ts";

const MAX_BODY_BYTES = 64 * 1024;

const refuseSize = (): never => {
  throw new ApiError("PAYLOAD_TOO_LARGE", "The request body is larger than 64 KB; send less");
};

/** Refuses bodies over 64 KB. */
export const limit = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: refuseSize });

/** Admits JSON in UTF-8 only: the validator after it would take a body of another type for an empty object. */
const jsonOnly: MiddlewareHandler = async (c, next) => {
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(c.req.header("content-type") ?? "")) {
    throw new ApiError(
      "UNSUPPORTED_MEDIA_TYPE",
      "The request body must be JSON; send it with Content-Type: application/json",
    );
  }
  // The request keeps the text for the validator.
  await readText(c, notUtf8);
  await next();
};

/** Lists what is wrong as `field: message` texts (API.md, "Errors"). */
const problemsOf = (target: Part, error: z.core.$ZodError, input: unknown): string[] => {
  const faults = target === "query" ? parameterFaultsOf(error, input) : faultsOf(error);
  return faults.map(({ path, message }) => (path === "" ? "body: must be a JSON object" : `${path}: ${message}`));
};

/**
 * Limits how many levels of a value are shown: more than anyone needs, and fewer than would overflow JSON.stringify's
 * stack.
 */
const MAX_SHOWN_LEVELS = 32;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1)));

/** Makes the refusal of an enumerated member's value, or null if that is not what is wrong. */
const refusedValue = (error: z.core.$ZodError, input: unknown, { field, expectedType, inWords }: EnumeratedField) => {
  const value = memberOf(input, field);
  if (value === undefined || !error.issues.some((issue) => issue.path[0] === field)) return null;
  const shown = isDeeper(value, MAX_SHOWN_LEVELS) ? "a deeply nested value" : value;
  return new ApiError("INVALID_FIELD_VALUE", `${field} must be ${inWords ?? expectedType}`, {
    details: { field, value: shown, expectedType },
  });
};

/** Lists what a strict route does not know in a part of a request, as `field: message` texts. */
const unknownIn = (target: Part, schema: z.ZodType, input: unknown, c: Context, known: readonly string[]): string[] => {
  if (!isStrict(c)) return [];
  const unknown =
    target === "json"
      ? unknownMembers(schema, input, known)
      : unknownParameters(c.req.url, schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);
  return unknown.map((name) => `${name}: ${NOT_KNOWN}`);
};

/**
 * Makes the middleware that checks a part of a request. Its schema is built at the first request: building all schemas
 * would take most of the Worker's start, and an isolate needs few of them.
 */
const checker = <Schema extends z.ZodType>(
  target: Part,
  makeSchema: () => Schema,
  { enumerated, readOnly = [] }: BodyOptions = {},
) => {
  const schema = once(makeSchema);
  return (input: unknown, c: Context): z.output<Schema> => {
    const result = schema().safeParse(input);
    const refused = enumerated && result.error && refusedValue(result.error, input, enumerated);
    if (refused) throw refused;
    const unknown = unknownIn(target, schema(), input, c, readOnly);
    if (result.error) throw invalidInput([...problemsOf(target, result.error, input), ...unknown]);
    if (unknown.length > 0) throw invalidInput(unknown);
    return result.data;
  };
};

/**
 * Checks a request's JSON body, and leaves it as `c.req.valid("json")`. Unknown members are refused by name, but not in
 * the contract's routes.
 */
export const jsonBody = <Schema extends z.ZodType>(schema: () => Schema, options?: BodyOptions) =>
  [
    limit,
    jsonOnly,
    declaring({ part: "json", schema, options }, validator("json", checker("json", schema, options))),
  ] as const;

/**
 * Checks a request's parameters, and leaves them as `c.req.valid("query")`. Unknown ones are refused by name, but not in
 * the contract's routes.
 */
export const query = <Schema extends z.ZodType>(schema: () => Schema) =>
  declaring({ part: "query", schema }, validator("query", checker("query", schema)));

/** Reads a body that no validator of the route reads. */
const strayBody = async (c: Context): Promise<string> => {
  let text = "";
  const read = async () => {
    text = await c.req.text().catch(refuseSize);
  };
  await limit(c, read);
  return text;
};

/** Refuses parameters and members of a body if a route takes none, unless it is one of the contract's. */
export const refuseStray = async (c: Context): Promise<void> => {
  if (!isStrict(c)) return;
  const names = isRead(c, "query") ? [] : unknownParameters(c.req.url, []);
  const parameters = names.map((name) => `${name}: ${NOT_KNOWN}`);
  const takesBody = isRead(c, "json") || c.req.raw.body === null;
  const problems = takesBody ? parameters : [...parameters, ...strayMembers(await strayBody(c))];
  if (problems.length > 0) throw invalidInput(problems);
};
