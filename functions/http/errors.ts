import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import {
  ActivePlacementsError,
  EmailTakenError,
  ForeignError,
  InvalidFieldError,
  isUnavailable,
  LastTokenError,
  NameTakenError,
  NotFoundError,
  UnknownCategoryError,
} from "../../db/core/errors.ts";
import type { AppEnv } from "./factory.ts";
import { describeError } from "../core/log.ts";

/** Names the two shapes of an error body (API.md, "Errors"): A is flat, B wrapped in `success` and `error`. */
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
  CLICK_EXPIRED: { status: 410, shape: "B" },
  PAYLOAD_TOO_LARGE: { status: 413, shape: "A" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, shape: "A" },
  RATE_LIMIT_EXCEEDED: { status: 429, shape: "B" },
  INTERNAL_SERVER_ERROR: { status: 500, shape: "B" },
  SERVICE_UNAVAILABLE: { status: 503, shape: "B" },
} as const satisfies Record<string, { status: ContentfulStatusCode; shape: Shape }>;

export type ErrorCode = keyof typeof ERRORS;
type Options = {
  details?: readonly string[] | Record<string, unknown>;
  shape?: Shape;
  headers?: Record<string, string>;
};

/** Tells a caller of a failure: a code of the table, a message for people, and the details that API.md names. */
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

/** Answers an {@link ApiError} (API.md, "Errors"). */
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

/** Matches the paths that answer 500 whatever the cause: pages and their customers cannot come back later. */
const ALWAYS_500 = /^\/(?:api\/odata|vdata|click|close)(?:\/|$)/;

const RETRY_AFTER_SECONDS = "5";

/** The answer to what nobody meant to happen, which says nothing of its cause. */
const failureOf = (thrown: unknown, path: string): ApiError =>
  isUnavailable(thrown) && !ALWAYS_500.test(path)
    ? new ApiError("SERVICE_UNAVAILABLE", "The service is unavailable; try again later", {
        headers: { "Retry-After": RETRY_AFTER_SECONDS },
      })
    : new ApiError("INTERNAL_SERVER_ERROR", "An unexpected error occurred");

/** The answer to what the database layer throws on purpose; anything else is unexpected. */
const answerTo = (thrown: unknown): ApiError | null => {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof NotFoundError) {
    const details = { resourceType: thrown.resource, id: thrown.id };
    return new ApiError("RESOURCE_NOT_FOUND", `${thrown.resource} not found`, { details });
  }
  if (thrown instanceof ForeignError) {
    return new ApiError("FORBIDDEN", "This credential has no access to that publisher");
  }
  if (thrown instanceof NameTakenError) {
    const details = { resourceType: thrown.resource, field: "name", value: thrown.value };
    return new ApiError("RESOURCE_CONFLICT", `A ${thrown.resource.toLowerCase()} with this name already exists`, {
      details,
    });
  }
  if (thrown instanceof EmailTakenError) {
    return new ApiError("CONFLICT", "This contact e-mail is in use by another publisher");
  }
  if (thrown instanceof LastTokenError) {
    return new ApiError("CONFLICT", "The last private token cannot be revoked; issue or rotate one first");
  }
  if (thrown instanceof ActivePlacementsError) {
    const message = "Deactivate or delete the active placements first";
    return new ApiError("FORBIDDEN", message, { details: { activePlacements: thrown.count } });
  }
  if (thrown instanceof InvalidFieldError) {
    const problem = `${thrown.field}: ${thrown.message}`;
    return new ApiError("VALIDATION_FAILED", `The request is invalid: ${problem}`, { details: [problem] });
  }
  if (thrown instanceof UnknownCategoryError) {
    const details = { field: "categoryName", value: thrown.value, expectedType: "name of an existing category" };
    return new ApiError("INVALID_FIELD_VALUE", "categoryName must be the exact name of an existing category", {
      details,
    });
  }
  if (thrown instanceof HTTPException && thrown.status === 400) {
    return new ApiError("VALIDATION_FAILED", "The request body is not valid JSON", {
      details: ["body: is not valid JSON"],
    });
  }
  return null;
};

/** Answers every failure in one of the two shapes, an unexpected one without its cause. */
export const onError = (thrown: unknown, c: Context<AppEnv>): Response => {
  const answer = answerTo(thrown);
  if (answer) return errorResponse(c, answer);
  console.error(`${c.get("requestId")} ${c.req.method} ${c.req.path} failed: ${describeError(thrown)}`);
  return errorResponse(c, failureOf(thrown, c.req.path));
};
