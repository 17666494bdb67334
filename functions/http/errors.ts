import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { isUnavailable, refusalIn, type Details } from "../../db/core/errors.ts";
import { StaleError } from "../../db/core/writing/writing-errors.ts";
import { noteFailure } from "../core/log.ts";
import { BusyError } from "../documents/lookups.ts";
import type { AppEnv } from "./factory.ts";
import { cut, shorten } from "./shorten.ts";

/** Names the two shapes of an error body (API.md, "Errors"): A is flat, B wrapped in `success` and `error`. */
export type Shape = "A" | "B";

/** Maps error codes to their status and, unless an endpoint declares otherwise, the shape of their body. */
export const ERRORS = {
  VALIDATION_FAILED: { status: 400, shape: "A" },
  INVALID_FIELD_VALUE: { status: 400, shape: "A" },
  INVALID_TOKEN: { status: 401, shape: "A" },
  UNAUTHORIZED: { status: 401, shape: "B" },
  FORBIDDEN: { status: 403, shape: "B" },
  RESOURCE_NOT_FOUND: { status: 404, shape: "A" },
  NOT_FOUND: { status: 404, shape: "B" },
  METHOD_NOT_ALLOWED: { status: 405, shape: "B" },
  RESOURCE_CONFLICT: { status: 409, shape: "A" },
  CONFLICT: { status: 409, shape: "B" },
  CLICK_EXPIRED: { status: 410, shape: "B" },
  PRECONDITION_FAILED: { status: 412, shape: "B" },
  PAYLOAD_TOO_LARGE: { status: 413, shape: "A" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, shape: "A" },
  IDEMPOTENCY_KEY_REUSED: { status: 422, shape: "B" },
  RATE_LIMIT_EXCEEDED: { status: 429, shape: "B" },
  INTERNAL_SERVER_ERROR: { status: 500, shape: "B" },
  SERVICE_UNAVAILABLE: { status: 503, shape: "B" },
} as const satisfies Record<string, { status: ContentfulStatusCode; shape: Shape }>;

export type ErrorCode = keyof typeof ERRORS;
type Options = {
  details?: Details | undefined;
  shape?: Shape;
  headers?: Record<string, string>;
};

/** Refuses a request with a code of the table, a message for people, and the details that API.md names. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  readonly options: Options;

  constructor(code: ErrorCode, message: string, options: Options = {}) {
    super(message);
    this.code = code;
    this.options = options;
  }
}

/**
 * Makes the refusal of a management request that breaks rules.
 *
 * @param problems `field: message` texts
 */
export const invalidInput = (problems: readonly string[]): ApiError =>
  new ApiError("VALIDATION_FAILED", `The request is invalid: ${problems.join("; ")}`, { details: problems });

/** Declares how an endpoint answers failures: always in one shape, or with a certain code when the database is down. */
export type Declaration = { shape?: Shape; unavailable?: "INTERNAL_SERVER_ERROR" | "SERVICE_UNAVAILABLE" };

const RETRY_AFTER_SECONDS = "5";
const BUSY_SECONDS = "1";

/** Limits message and details, in characters of their JSON, so that no error has more than 8 KB in any script. */
const MAX_MESSAGE = 900;
const MAX_DETAILS = 1_500;

/**
 * Returns a refusal's message and details as they are answered, cut to a length that does not grow with what was sent.
 */
export const toldOf = (message: string, details: Details | undefined): { message: string; details?: Details } => ({
  message: cut(message, MAX_MESSAGE),
  ...(details === undefined ? {} : { details: shorten(details, MAX_DETAILS) }),
});

/** Finds the answer to what was thrown on purpose; null for an unexpected error. */
const refusalOf = (thrown: unknown): ApiError | null => {
  if (thrown instanceof ApiError) return thrown;
  const refusal = refusalIn(thrown);
  if (refusal) {
    const headers = refusal instanceof StaleError ? { ETag: `"${refusal.tag}"` } : {};
    return new ApiError(refusal.code, refusal.message, { details: refusal.details, headers });
  }
  // The log has one line a second about this, not one for each request.
  if (thrown instanceof BusyError) {
    const headers = { "Retry-After": BUSY_SECONDS };
    return new ApiError("INTERNAL_SERVER_ERROR", "The service is busy; try again in a second", { headers });
  }
  if (thrown instanceof HTTPException && thrown.status === 400) return invalidInput(["body: is not valid JSON"]);
  return null;
};

/** Makes the answer to an unexpected error, which says nothing about its cause. */
const failureOf = (thrown: unknown, { unavailable = "SERVICE_UNAVAILABLE" }: Declaration): ApiError =>
  isUnavailable(thrown) && unavailable === "SERVICE_UNAVAILABLE"
    ? new ApiError(unavailable, "The service is unavailable; try again later", {
        headers: { "Retry-After": RETRY_AFTER_SECONDS },
      })
    : new ApiError("INTERNAL_SERVER_ERROR", "An unexpected error occurred");

/** Answers whatever a handler threw, in one of the two shapes, and logs unexpected errors. */
export const errorResponse = (thrown: unknown, c: Context<AppEnv>, declared: Declaration = {}): Response => {
  const refusal = refusalOf(thrown);
  if (!refusal) noteFailure(`${c.get("requestId")} ${c.req.method} ${c.req.path}`)(thrown);
  const { code, message, options } = refusal ?? failureOf(thrown, declared);
  const { status, shape: usual } = ERRORS[code];
  const { message: error, ...more } = toldOf(message, options.details);
  const body =
    (declared.shape ?? options.shape ?? usual) === "A"
      ? { error, code, ...more, timestamp: new Date().toISOString() }
      : { success: false, error: { code, message: error, ...more } };
  return c.json(body, status, options.headers);
};

/** Handles the app's errors. */
export const onError = (thrown: unknown, c: Context<AppEnv>): Response => errorResponse(thrown, c);
