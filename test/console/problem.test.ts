import { LanyapError } from "#client";
import { describe, expect, it } from "vitest";
import { adviceFor, fieldProblems, linesOf, mayPass } from "../../functions/console/api/problem.ts";

const problem = (message: string, details: unknown) => new LanyapError("VALIDATION_FAILED", message, { details });

describe("a refusal", () => {
  it.each([
    [["name: is empty", "icon.width: is 0", "no field"], { name: "is empty", "icon.width": "is 0" }],
    [{ field: "categoryName", value: "Trees", expectedType: "a category" }, { categoryName: "In words" }],
    [{ resourceType: "Publisher", id: "pub_1" }, {}],
    [null, {}],
  ])("is shown at the fields that %j names", (details, texts) => {
    expect(fieldProblems(problem("In words", details))).toEqual(texts);
  });

  it.each([
    ["The request is invalid: a: b; c: d", ["a: b", "c: d"], ["The request is invalid:", ["a: b", "c: d"]]],
    ["It was shortened: a: …", ["a: b"], ["It was shortened: a: …", ["a: b"]]],
    ["In words", { field: "name" }, ["In words", []]],
  ])("is told once in the note: %j with %j", (message, details, [lead, texts]) => {
    expect(linesOf(problem(message, details))).toEqual({ lead, texts });
  });
});

it.each([
  ["FORBIDDEN", null, true, "Your token may not do this."],
  ["FORBIDDEN", { activePlacements: 1 }, true, ""],
  ["PRECONDITION_FAILED", null, true, "Somebody has changed it meanwhile."],
  ["RATE_LIMIT_EXCEEDED", { limit: 1 }, true, "That was more changes than are allowed in a minute."],
  ["CONFLICT", null, true, ""],
  ["UNREACHABLE", null, false, "Check your connection, and try again."],
  ["UNREACHABLE", null, true, "Check your connection, and try again. The same, sent again, is done only once."],
  ["TIMEOUT", null, false, "The service is slow. Try again."],
  ["TIMEOUT", null, true, "The service is slow. Try again. The same, sent again, is done only once."],
] as const)("%s with %j is explained (for a change: %s) so: %j", (code, details, isChange, advice) => {
  expect(adviceFor({ code, details }, isChange)).toBe(advice);
});

it.each([
  ["TIMEOUT", 0, true],
  ["UNREACHABLE", 0, true],
  ["UNEXPECTED_ANSWER", 404, true],
  ["RATE_LIMIT_EXCEEDED", 429, true],
  ["INTERNAL_SERVER_ERROR", 500, true],
  ["SERVICE_UNAVAILABLE", 503, true],
  ["VALIDATION_FAILED", 400, false],
  ["FORBIDDEN", 403, false],
  ["NOT_FOUND", 404, false],
  ["CONFLICT", 409, false],
] as const)("%s (%i) may pass: %s", (code, status, may) => {
  expect(mayPass({ code, status })).toBe(may);
});
