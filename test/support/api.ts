import { expect } from "vitest";
import type { Harness } from "./harness.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Describes what a call carries. A text body is sent as it is, any other as JSON. */
export type Call = { token?: string | undefined; body?: unknown; headers?: Record<string, string> };

const linesOf = (text: string): unknown[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));

/** Calls the management API and reads the whole answer; lines of JSON become a list. */
export const api = async (h: Harness, method: Method, path: string, { token, body, headers }: Call = {}) => {
  const response = await h.fetch(path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const isLines = response.headers.get("content-type")?.startsWith("application/x-ndjson");
  const json: unknown = isLines ? linesOf(await response.text()) : await response.json();
  return { status: response.status, headers: response.headers, json };
};

export type Answer = Awaited<ReturnType<typeof api>>;

/** Returns an answer's status and body, to compare both at once. */
export const said = ({ status, json }: Answer) => [status, json] as const;

/** Describes the body of a success. */
type Success<Data> = { success: true; data: Data; message?: string };

/**
 * Returns the `data` of a success, whose type the caller names.
 *
 * @throws {Error} when the answer is no success
 */
export const dataOf = <Data>(answer: Answer): Success<Data>["data"] => {
  if (answer.status > 201) throw new Error(`${answer.status} ${JSON.stringify(answer.json)}`);
  return (answer.json as Success<Data>).data;
};

/** Matches an ISO 8601 time in UTC with milliseconds. */
export const timestamp: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Matches an id with this prefix. */
export const idOf = (prefix: string): unknown => expect.stringMatching(new RegExp(`^${prefix}_[0-9a-z]{26}$`));

/** Matches a key with this prefix. */
export const keyOf = (prefix: string): unknown => expect.stringMatching(new RegExp(`^${prefix}[0-9A-Za-z]{49}$`));

const message: unknown = expect.stringMatching(/\S/);
const only = (details: unknown) => (details === undefined ? {} : { details });

/** Describes an error body in its flat form. */
export const flat = (code: string, details?: unknown) => ({ error: message, code, ...only(details), timestamp });

/** Describes an error body in its wrapped form. */
export const wrapped = (code: string, details?: unknown) => ({
  success: false,
  error: { code, message, ...only(details) },
});

/** Returns the refusal of a body or a query that breaks rules, with its `field: message` texts. */
export const invalid = (...details: string[]) => [400, flat("VALIDATION_FAILED", details)];

/** Returns the refusal of a value that a field with an error code of its own does not allow. */
export const disallowed = (field: string, value: unknown, expectedType: string) => [
  400,
  flat("INVALID_FIELD_VALUE", { field, value, expectedType }),
];

/** Returns the refusal of an id that does not exist, or that the caller may not see. */
export const missing = (resourceType: string, id: string) => [404, flat("RESOURCE_NOT_FOUND", { resourceType, id })];

/** Returns the refusal of a name that is taken. */
export const taken = (resourceType: string, value: string) => [
  409,
  flat("RESOURCE_CONFLICT", { resourceType, field: "name", value }),
];
