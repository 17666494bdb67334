import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isUnavailable, UnavailableError } from "../../db/core/errors.ts";
import type { AppEnv } from "../../functions/http/factory.ts";
import { onError } from "../../functions/http/errors.ts";
import { wrapped } from "../support/api.ts";

const named = (name: string, more: object = {}) => Object.assign(new Error("select secret"), { name, ...more });
const query = (cause: Error) => new Error("Failed query: select secret", { cause });
const postgres = (code: string) => named("NeonDbError", { code });

const UNAVAILABLE: [string, Error][] = [
  ["an endpoint that was not reached", query(named("NeonDbError"))],
  ["the same in a batch", named("NeonDbError")],
  ["a document that is not to be had", new UnavailableError("none")],
  ...["08006", "08P01", "53300", "53100", "57014", "57P01", "57P03", "58030"].map((code): [string, Error] => [
    code,
    query(postgres(code)),
  ]),
];
const OTHERS: [string, Error][] = [
  ["a mistake", new TypeError("undefined is no function")],
  ...["23505", "22P05", "40P01", "42P01", "28P01"].map((code): [string, Error] => [code, query(postgres(code))]),
];

const log = vi.spyOn(console, "error");
beforeAll(() => {
  log.mockImplementation(() => undefined);
});
afterAll(() => {
  log.mockRestore();
});

const answerTo = async (path: string, thrown: Error) => {
  const app = new Hono<AppEnv>().all("*", () => {
    throw thrown;
  });
  app.onError(onError);
  return app.request(path);
};

describe("isUnavailable", () => {
  it.each(UNAVAILABLE)("takes for a database that may be back soon: %s", (_, thrown) => {
    expect(isUnavailable(thrown)).toBe(true);
  });

  it.each(OTHERS)("does not take for that: %s", (_, thrown) => {
    expect(isUnavailable(thrown)).toBe(false);
  });

  it("is not misled by what is no error", () => {
    for (const thrown of [null, undefined, "NeonDbError", { name: "NeonDbError" }])
      expect(isUnavailable(thrown)).toBe(false);
  });
});

describe("a database that is away", () => {
  const away = query(named("NeonDbError"));

  it.each(["/api/site", "/api/v1/publishers/me", "/api/report", "/conversion", "/api/odatas", "/clicks"])(
    "is a 503 with a time to come back at %s",
    async (path) => {
      const response = await answerTo(path, away);
      const body = await response.text();
      expect([response.status, JSON.parse(body)]).toEqual([503, wrapped("SERVICE_UNAVAILABLE")]);
      expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expect(body).not.toContain("secret");
    },
  );

  it.each(["/api/odata", "/api/odata?a=1", "/vdata", "/click", "/close"])(
    "is a 500 at %s, which cannot be asked again later",
    async (path) => {
      const response = await answerTo(path, away);
      expect([response.status, await response.json()]).toEqual([500, wrapped("INTERNAL_SERVER_ERROR")]);
      expect(response.headers.get("retry-after")).toBeNull();
    },
  );
});
