import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppEnv } from "../factory.ts";
import { describeError } from "../log.ts";

/** Flat, or wrapped in `success` and `error`: the contract's two forms of an error body. */
type Shape = "A" | "B";

/** The one place that knows an error code's status and, unless an endpoint says otherwise, the shape of its body. */
const ERRORS = {
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
  INTERNAL_SERVER_ERROR: { status: 500, shape: "B" },
  SERVICE_UNAVAILABLE: { status: 503, shape: "B" },
} as const satisfies Record<string, { status: ContentfulStatusCode; shape: Shape }>;

export type ErrorCode = keyof typeof ERRORS;
type Options = {
  details?: readonly string[] | Record<string, unknown>;
  shape?: Shape;
  headers?: Record<string, string>;
};

/** A failure that the caller is told about: a code of the table, a message for people, and the contract's details. */
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

/** The response to an {@link ApiError}, by the contract's part 7. */
const errorResponse = (c: Context, error: ApiError): Response => {
  const { status, shape: usual } = ERRORS[error.code];
  const { details, shape = usual, headers } = error.options;
  const more = details === undefined ? {} : { details };
  const body =
    shape === "A"
      ? { error: error.message, code: error.code, ...more, timestamp: new Date().toISOString() }
      : { success: false, error: { code: error.code, message: error.message, ...more } };
  return c.json(body, status, headers);
};

/** The app's error handler: every failure leaves in one of the contract's shapes, an unexpected one without its cause. */
export const onError = (thrown: Error, c: Context<AppEnv>): Response => {
  if (thrown instanceof ApiError) return errorResponse(c, thrown);
  if (thrown instanceof HTTPException && thrown.status === 400) {
    return errorResponse(c, new ApiError("VALIDATION_FAILED", "The request could not be read"));
  }
  console.error(`${c.get("requestId")} ${c.req.method} ${c.req.path} failed: ${describeError(thrown)}`);
  return errorResponse(c, new ApiError("INTERNAL_SERVER_ERROR", "An unexpected error occurred"));
};
