import { expect } from "vitest";
import type { Harness } from "./harness.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a call may carry; a body that is a text is sent as it is, anything else as JSON. */
export type Call = { token?: string | undefined; body?: unknown; headers?: Record<string, string> };

/** Calls the management API and reads the whole answer. */
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
  const json: unknown = await response.json();
  return { status: response.status, headers: response.headers, json };
};

export type Answer = Awaited<ReturnType<typeof api>>;

/** Status and body, to compare both at once. */
export const said = ({ status, json }: Answer) => [status, json] as const;

/** Describes the body of a success. */
type Success<Data> = { success: true; data: Data; message?: string };

/** The `data` of a success, which the caller knows the type of. */
export const dataOf = <Data>(answer: Answer): Success<Data>["data"] => {
  if (answer.status > 201) throw new Error(`${answer.status} ${JSON.stringify(answer.json)}`);
  return (answer.json as Success<Data>).data;
};

/** An ISO 8601 time in UTC with milliseconds. */
export const timestamp: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** An id with this prefix. */
export const idOf = (prefix: string): unknown => expect.stringMatching(new RegExp(`^${prefix}_[0-9a-z]{26}$`));

/** A key with this prefix. */
export const keyOf = (prefix: string): unknown => expect.stringMatching(new RegExp(`^${prefix}[0-9A-Za-z]{49}$`));

const message: unknown = expect.stringMatching(/\S/);
const only = (details: unknown) => (details === undefined ? {} : { details });

/** The flat form of an error body. */
export const flat = (code: string, details?: unknown) => ({ error: message, code, ...only(details), timestamp });

/** The wrapped form of an error body. */
export const wrapped = (code: string, details?: unknown) => ({
  success: false,
  error: { code, message, ...only(details) },
});

/** Returns the refusal of a body or a query that breaks rules, with its `field: message` texts. */
export const invalid = (...details: string[]) => [400, flat("VALIDATION_FAILED", details)];

/** A disallowed value of a field that has an error code of its own. */
export const disallowed = (field: string, value: unknown, expectedType: string) => [
  400,
  flat("INVALID_FIELD_VALUE", { field, value, expectedType }),
];

/** An id that nothing has, or nothing that the caller may know of. */
export const missing = (resourceType: string, id: string) => [404, flat("RESOURCE_NOT_FOUND", { resourceType, id })];

/** A name that another one has. */
export const taken = (resourceType: string, value: string) => [
  409,
  flat("RESOURCE_CONFLICT", { resourceType, field: "name", value }),
];
