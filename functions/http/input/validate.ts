import { zValidator } from "@hono/zod-validator";
import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type * as z from "zod";
import { ApiError } from "../errors.ts";

const MAX_BODY_BYTES = 64 * 1024;

/** Names a member whose disallowed value has an error code of its own. */
type EnumeratedField = { field: string; expectedType: string };

/** Refuses bodies over 64 KB. */
export const limit = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: () => {
    throw new ApiError("PAYLOAD_TOO_LARGE", "The request body is larger than 64 KB; send less");
  },
});

/** Admits JSON only: the validator behind it would take a body of another type for an empty object. */
const jsonOnly: MiddlewareHandler = async (c, next) => {
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(c.req.header("content-type") ?? "")) {
    throw new ApiError(
      "UNSUPPORTED_MEDIA_TYPE",
      "The request body must be JSON; send it with Content-Type: application/json",
    );
  }
  await next();
};

/** Lists what is wrong as `field: message` texts (API.md, "Errors"). */
const details = (error: z.core.$ZodError): string[] =>
  error.issues.flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code === "unrecognized_keys") return issue.keys.map((key) => `${[...path, key].join(".")}: is not known`);
    return path.length > 0 ? `${path.join(".")}: ${issue.message}` : "body: must be a JSON object";
  });

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

/** Limits what is shown of a value to more levels than anyone means, and fewer than JSON.stringify has a stack for. */
const MAX_SHOWN_LEVELS = 32;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1)));

const refusal = (error: z.core.$ZodError, input: unknown, enumerated: EnumeratedField | undefined): ApiError => {
  const value = enumerated && member(input, enumerated.field);
  if (enumerated && value !== undefined && error.issues.some((issue) => issue.path[0] === enumerated.field)) {
    const message = `${enumerated.field} must be ${enumerated.expectedType}`;
    return new ApiError("INVALID_FIELD_VALUE", message, {
      details: {
        field: enumerated.field,
        value: isDeeper(value, MAX_SHOWN_LEVELS) ? "a deeply nested value" : value,
        expectedType: enumerated.expectedType,
      },
    });
  }
  const problems = details(error);
  return new ApiError("VALIDATION_FAILED", `The request is invalid: ${problems.join("; ")}`, { details: problems });
};

/**
 * Wraps zod's validator. A schema is built for its first request: together they would take most of the time in which the
 * Worker starts, and an isolate needs few of them.
 */
const checked = <Target extends "json" | "query", Schema extends z.ZodType>(
  target: Target,
  schema: () => Schema,
  enumerated?: EnumeratedField,
) => {
  const makeValidator = () =>
    zValidator(target, schema(), (result) => {
      if (!result.success) throw refusal(result.error, result.data, enumerated);
    });
  let validator: ReturnType<typeof makeValidator> | undefined;
  const handler: ReturnType<typeof makeValidator> = (c, next) => (validator ??= makeValidator())(c, next);
  return handler;
};

/**
 * Checks a request's JSON body, and leaves it as `c.req.valid("json")`.
 *
 * @param enumerated a member whose disallowed value answers INVALID_FIELD_VALUE instead of VALIDATION_FAILED
 */
export const jsonBody = <Schema extends z.ZodType>(schema: () => Schema, enumerated?: EnumeratedField) =>
  [limit, jsonOnly, checked("json", schema, enumerated)] as const;

/** Checks a request's parameters, and leaves them as `c.req.valid("query")`. */
export const query = <Schema extends z.ZodType>(schema: () => Schema) => checked("query", schema);
