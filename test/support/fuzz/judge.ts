import type { WorkerFetch } from "../worker-fetch.ts";
import type { Family, Ready } from "./targets.ts";

type Answer = Awaited<ReturnType<WorkerFetch>>;

const MAX_ERROR_BYTES = 8 * 1024;

/** Lists the codes whose body is flat, wherever they come from. */
const FLAT = new Set([
  "INVALID_FIELD_VALUE",
  "INVALID_TOKEN",
  "RESOURCE_NOT_FOUND",
  "RESOURCE_CONFLICT",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
]);

const STATUSES: Record<string, number> = {
  VALIDATION_FAILED: 400,
  INVALID_FIELD_VALUE: 400,
  INVALID_TOKEN: 401,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  RESOURCE_NOT_FOUND: 404,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  RESOURCE_CONFLICT: 409,
  CONFLICT: 409,
  CLICK_EXPIRED: 410,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMIT_EXCEEDED: 429,
};

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

type Members = Record<string, unknown>;
const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const has = (value: Members, required: readonly string[], optional: readonly string[] = []): boolean =>
  required.every((name) => name in value) &&
  Object.keys(value).every((name) => required.includes(name) || optional.includes(name));

const isFlatOf = (code: string, family: Family): boolean | null => {
  if (code !== "VALIDATION_FAILED") return FLAT.has(code);
  return family === "explain" ? null : family === "management";
};

/** Says what is wrong with the body of an error, or null. */
const errorProblem = (text: string, status: number, family: Family): string | null => {
  if (new TextEncoder().encode(text).length > MAX_ERROR_BYTES) return "an error of more than 8 KB";
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return "an error that is no JSON";
  }
  if (!isObject(body)) return "an error that is no object";
  const flat = typeof body["code"] === "string";
  const inner = flat ? body : body["error"];
  if (!isObject(inner)) return "an error of neither shape";
  const code = String(inner["code"]);
  if (STATUSES[code] !== status) return `the code ${code}`;
  const wanted = isFlatOf(code, family);
  if (wanted !== null && wanted !== flat) return `${code} in the other shape`;
  if (flat) {
    const right = has(body, ["error", "code", "timestamp"], ["details"]) && typeof body["error"] === "string";
    return right && TIME.test(String(body["timestamp"])) ? null : "a flat error of other members";
  }
  const right =
    has(body, ["success", "error"]) && body["success"] === false && has(inner, ["code", "message"], ["details"]);
  return right && typeof inner["message"] === "string" ? null : "a wrapped error of other members";
};

/** Says what is wrong with the body of a success of management, or null. */
const successProblem = (text: string, answer: Answer): string | null => {
  if (/^(?:text\/csv|application\/x-ndjson)/.test(answer.headers.get("content-type") ?? "")) return null;
  const body: unknown = JSON.parse(text);
  if (!isObject(body) || body["success"] !== true) return "no success";
  const known = ["data", "message", "pagination", "summary"];
  if (!has(body, ["success"], known) || (!("data" in body) && !("message" in body)))
    return "a success of other members";
  const { pagination } = body;
  if (pagination === undefined) return null;
  const isPage = isObject(pagination) && has(pagination, ["total", "skip", "take", "hasMore"]);
  return isPage && Array.isArray(body["data"]) ? null : "a list of another shape";
};

/** Says what is wrong with an answer, or null: its status, its request id, its shape. */
export const problemOf = ({ target, method, headers }: Ready, answer: Answer, text: string): string | null => {
  const { status } = answer;
  if (status >= 500) return "a failure";
  const id = answer.headers.get("x-request-id") ?? "";
  if (!/^[\w=-]{1,255}$/.test(id)) return "no request id";
  const sent = headers["x-request-id"] ?? "";
  if (/^[\w=-]{1,255}$/.test(sent) && id !== sent) return "another request id";
  if (method === "HEAD") return text === "" ? null : "a body for HEAD";
  if (status >= 400) return errorProblem(text, status, target.family);
  const isManagement = target.family === "management" || target.family === "explain";
  return isManagement && method !== "OPTIONS" ? successProblem(text, answer) : null;
};
