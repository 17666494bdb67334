import type { ErrorDetails, ServiceCode } from "./errors-described.ts";

/**
 * Names why a call failed. Without an answer it is `TIMEOUT` or `UNREACHABLE`; `UNEXPECTED_ANSWER` is an answer that
 * does not come from the service, but from a proxy, for example. A newer service may have codes that are not listed
 * here.
 */
export type ErrorCode = ServiceCode | "TIMEOUT" | "UNREACHABLE" | "UNEXPECTED_ANSWER";

type Told = {
  status?: number;
  requestId?: string | null;
  retryAfter?: number | null;
  details?: unknown;
  cause?: unknown;
};

/** Tells why a call failed. Its message is for people. */
export class LanyapError extends Error {
  override readonly name = "LanyapError";
  readonly code: ErrorCode;
  /** Holds the answer's status; 0 without an answer. */
  readonly status: number;
  /** Names the request in the service's logs; null without an answer. */
  readonly requestId: string | null;
  /** Holds in how many seconds to call again, if the service says so. */
  readonly retryAfter: number | null;
  /** Holds more for programs; {@link isLanyapError} knows its type by the code. */
  readonly details: unknown;

  constructor(code: ErrorCode, message: string, told: Told = {}) {
    super(message, told.cause === undefined ? undefined : { cause: told.cause });
    this.code = code;
    this.status = told.status ?? 0;
    this.requestId = told.requestId ?? null;
    this.retryAfter = told.retryAfter ?? null;
    this.details = told.details ?? null;
  }
}

/** Tells whether a call failed with this code; then `details` has its type. */
export const isLanyapError = <Code extends keyof ErrorDetails>(
  error: unknown,
  code: Code,
): error is LanyapError & { readonly code: Code; readonly details: ErrorDetails[Code] } =>
  error instanceof LanyapError && error.code === code;

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

/** Returns in how many seconds an answer asks to be called again, from a number or a time. */
const secondsUntil = (retryAfter: string | null): number | null => {
  if (!retryAfter) return null;
  const seconds = Number(retryAfter);
  const wait = Number.isNaN(seconds) ? (Date.parse(retryAfter) - Date.now()) / 1000 : seconds;
  return Number.isNaN(wait) ? null : Math.max(0, wait);
};

/** Reads an error of the service, whose body has one of two shapes: `error` is a text beside its code, or holds both. */
export const errorOf = ({ status, headers }: Response, body: unknown): LanyapError => {
  const outer = membersOf(body);
  const { code, details, message } =
    typeof outer["error"] === "string" ? { ...outer, message: outer["error"] } : membersOf(outer["error"]);
  const told = {
    status,
    requestId: headers.get("x-request-id"),
    retryAfter: secondsUntil(headers.get("retry-after")),
  };
  return typeof code === "string" && typeof message === "string"
    ? new LanyapError(code as ErrorCode, message, { ...told, details })
    : new LanyapError("UNEXPECTED_ANSWER", `The answer ${status} does not come from the service`, {
        ...told,
        details: body,
      });
};
