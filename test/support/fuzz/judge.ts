import { ERRORS } from "../../../functions/http/errors.ts";
import { operationFor } from "../described/find.ts";
import { judge } from "../described/judge.ts";
import { SECRETS } from "../secrets.ts";
import type { WorkerFetch } from "../worker-fetch.ts";
import type { Family } from "./described.ts";
import type { Ready } from "./ready.ts";

type Answer = Awaited<ReturnType<WorkerFetch>>;

const MAX_ERROR_BYTES = 8 * 1024;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

type Members = Record<string, unknown>;
const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const has = (value: Members, required: readonly string[], optional: readonly string[] = []): boolean =>
  required.every((name) => name in value) &&
  Object.keys(value).every((name) => required.includes(name) || optional.includes(name));

type Known = { status: number; shape: string };
const knownOf = (code: string): Known | null =>
  Object.hasOwn(ERRORS, code) ? ERRORS[code as keyof typeof ERRORS] : null;

const isFlatOf = (code: string, family: Family): boolean | null => {
  if (code !== "VALIDATION_FAILED") return knownOf(code)?.shape === "A";
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
  if (knownOf(code)?.status !== status) return `the code ${code}`;
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

/** Says how an answer differs from the API's description; null for pages, files and unknown addresses. */
const descriptionProblem = ({ method, path }: Ready, { status, headers }: Answer, text: string): string | null => {
  const described = operationFor(method, new URL(path, "http://worker").pathname);
  if (!described) return null;
  const type = (headers.get("content-type") ?? "").replace(/;.*$/, "");
  const verdict = judge(described, { status, type, text }, method === "HEAD");
  return "problem" in verdict ? verdict.problem : null;
};

/** Finds what an error must not reveal: secrets of the service, its statements, where in its code something failed. */
const TOLD = /\b(?:select .+ from|insert into|update .+ set|delete from|violates|syntax error at)\b|\n\s+at \S+ \(/i;

const leakProblem = (text: string): string | null => {
  const secret = Object.entries(SECRETS).find(([, value]) => text.includes(value));
  if (secret) return `the secret ${secret[0]}`;
  return TOLD.test(text) ? "an error that tells of the service's inside" : null;
};

/** Says what is wrong with an answer, or null: its status, its request id, its shape, and what it must not reveal. */
export const problemOf = (ready: Ready, answer: Answer, text: string): string | null => {
  const { target, method, headers } = ready;
  const { status } = answer;
  if (status >= 500) return "a failure";
  const id = answer.headers.get("x-request-id") ?? "";
  if (!/^[\w=-]{1,255}$/.test(id)) return "no request id";
  const sent = headers["x-request-id"] ?? "";
  if (/^[\w=-]{1,255}$/.test(sent) && id !== sent) return "another request id";
  if (method === "HEAD" && text !== "") return "a body for HEAD";
  const undescribed = descriptionProblem(ready, answer, text);
  if (undescribed !== null || method === "HEAD" || status < 400) return undescribed;
  return errorProblem(text, status, target.family) ?? leakProblem(text);
};
