import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  ActivePlacementsError,
  EmailTakenError,
  ForeignError,
  InvalidFieldError,
  LastTokenError,
  NameTakenError,
  NotFoundError,
  UnknownCategoryError,
  type Refusal,
} from "../../db/core/errors.ts";
import { BusyError } from "../../functions/documents/lookups.ts";
import type { AppEnv } from "../../functions/http/factory.ts";
import { ApiError, onError, type ErrorCode } from "../../functions/http/errors.ts";
import { flat, wrapped } from "../support/api.ts";

const thrown = async (error: Error) => {
  const app = new Hono<AppEnv>().get("/", () => {
    throw error;
  });
  app.onError(onError);
  return app.request("/");
};
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const log = vi.spyOn(console, "error");

beforeEach(() => {
  log.mockImplementation(() => undefined);
});
afterEach(() => {
  log.mockReset();
});

describe("an error response", () => {
  it("of what nobody can know now says when to come back, and is no line of the log", async () => {
    const response = await thrown(new BusyError());
    expect([response.status, response.headers.get("retry-after")]).toEqual([500, "1"]);
    const message = "The service is busy; try again in a second";
    expect(await response.json()).toEqual({ success: false, error: { code: "INTERNAL_SERVER_ERROR", message } });
    expect(log).not.toHaveBeenCalled();
  });

  it.each<[ErrorCode, number, "A" | "B"]>([
    ["VALIDATION_FAILED", 400, "A"],
    ["INVALID_FIELD_VALUE", 400, "A"],
    ["INVALID_TOKEN", 401, "A"],
    ["UNAUTHORIZED", 401, "B"],
    ["FORBIDDEN", 403, "B"],
    ["RESOURCE_NOT_FOUND", 404, "A"],
    ["NOT_FOUND", 404, "B"],
    ["METHOD_NOT_ALLOWED", 405, "B"],
    ["RESOURCE_CONFLICT", 409, "A"],
    ["CONFLICT", 409, "B"],
    ["CLICK_EXPIRED", 410, "B"],
    ["PRECONDITION_FAILED", 412, "B"],
    ["PAYLOAD_TOO_LARGE", 413, "A"],
    ["UNSUPPORTED_MEDIA_TYPE", 415, "A"],
    ["IDEMPOTENCY_KEY_REUSED", 422, "B"],
    ["RATE_LIMIT_EXCEEDED", 429, "B"],
    ["SERVICE_UNAVAILABLE", 503, "B"],
    ["INTERNAL_SERVER_ERROR", 500, "B"],
  ])("of %s has status %d and shape %s, with details and without", async (code, status, shape) => {
    for (const options of [{}, { details: { field: "name" } }]) {
      const response = await thrown(new ApiError(code, "A message", options));
      const shapes = {
        A: { error: "A message", code, ...options, timestamp: expect.stringMatching(ISO) as string },
        B: { success: false, error: { code, message: "A message", ...options } },
      };
      expect(response.status).toBe(status);
      expect(await response.json()).toEqual(shapes[shape]);
    }
    expect(log).not.toHaveBeenCalled();
  });

  it("has the shape and the headers that an endpoint asks for", async () => {
    const response = await thrown(
      new ApiError("VALIDATION_FAILED", "A message", { shape: "B", details: ["a"], headers: { "x-more": "1" } }),
    );
    expect(response.headers.get("x-more")).toBe("1");
    expect(await response.json()).toEqual({
      success: false,
      error: { code: "VALIDATION_FAILED", message: "A message", details: ["a"] },
    });
  });

  it("of an unexpected failure says nothing of it, and the log does", async () => {
    const response = await thrown(new Error("the password is hunter2"));
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      success: false,
      error: { code: "INTERNAL_SERVER_ERROR", message: "An unexpected error occurred" },
    });
    expect(log).toHaveBeenCalledTimes(1);
  });

  it("of a query that failed shows no parameter in the log", async () => {
    const cause = Object.assign(new Error("duplicate key: Key (email)=(jo@shop.example)"), {
      code: "23505",
      constraint: "publishers_name_key",
    });
    await thrown(new Error("Failed query: insert … params: jo@shop.example", { cause }));
    await thrown(new Error("Failed query: insert … params: jo@shop.example", { cause: new TypeError("fetch failed") }));
    const logged = log.mock.calls.flat().join("\n");
    expect(logged).toContain("Postgres 23505 (publishers_name_key)");
    expect(logged).toContain("fetch failed");
    expect(logged).not.toContain("jo@shop.example");
  });

  it("of a request that cannot be read is the caller's", async () => {
    const response = await thrown(new HTTPException(400, { message: "Malformed JSON in request body" }));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "VALIDATION_FAILED" });
  });
});

describe("a refusal by the database", () => {
  it.each<[Refusal, number, unknown]>([
    [new NotFoundError("Site", "site_1"), 404, flat("RESOURCE_NOT_FOUND", { resourceType: "Site", id: "site_1" })],
    [new ForeignError(), 403, wrapped("FORBIDDEN")],
    [
      new NameTakenError("Site", "Shop"),
      409,
      flat("RESOURCE_CONFLICT", { resourceType: "Site", field: "name", value: "Shop" }),
    ],
    [new EmailTakenError(), 409, wrapped("CONFLICT")],
    [new LastTokenError(), 409, wrapped("CONFLICT")],
    [new ActivePlacementsError(3), 403, wrapped("FORBIDDEN", { activePlacements: 3 })],
    [
      new InvalidFieldError(["endsAt", "is wrong"], ["name", "is, too"]),
      400,
      flat("VALIDATION_FAILED", ["endsAt: is wrong", "name: is, too"]),
    ],
    [
      new UnknownCategoryError("B2C"),
      400,
      flat("INVALID_FIELD_VALUE", {
        field: "categoryName",
        value: "B2C",
        expectedType: "name of an existing category",
      }),
    ],
  ])("keeps its code, details and status: %o", async (refusal, status, body) => {
    const response = await thrown(refusal);
    expect([response.status, await response.json()]).toEqual([status, body]);
    expect(log).not.toHaveBeenCalled();
  });
});
