import { Hono, type Context } from "hono";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isUnavailable, UnavailableError } from "../../db/core/errors.ts";
import type { AppEnv } from "../../functions/http/factory.ts";
import { onError } from "../../functions/http/errors.ts";
import { openToPages } from "../../functions/http/open.ts";
import { wrapped } from "../support/api.ts";
import { SETTINGS } from "../support/secrets.ts";

const named = (name: string, more: object = {}) => Object.assign(new Error("select secret"), { name, ...more });
const query = (cause: Error) => new Error("Failed query: select secret", { cause });
const postgres = (code: string) => named("StatementError", { code });
const away = () => new UnavailableError("the database gave no answer");

const UNAVAILABLE: [string, Error][] = [
  ["an endpoint that was not reached", query(away())],
  ["the same in a batch", away()],
  ["a document that is not to be had", new UnavailableError("none")],
  ...["08006", "08P01", "53300", "53100", "57014", "57P01", "57P03", "58030", "25006"].map((code): [string, Error] => [
    code,
    query(postgres(code)),
  ]),
  // The statement that was picked to end a deadlock did nothing wrong, and only has to be sent again.
  ...["40P01", "40001"].map((code): [string, Error] => [code, query(postgres(code))]),
];
const OTHERS: [string, Error][] = [
  ["a mistake", new TypeError("undefined is no function")],
  ...["23505", "22P05", "42P01", "28P01", "25001"].map((code): [string, Error] => [code, query(postgres(code))]),
];

const log = vi.spyOn(console, "error");
beforeAll(() => {
  log.mockImplementation(() => undefined);
});
afterAll(() => {
  log.mockRestore();
});

const { open } = openToPages({ methods: ["GET"], exposed: [] });

const answerOf = async (handler: (c: Context<AppEnv>) => Response | Promise<Response>) => {
  const app = new Hono<AppEnv>().get("/", handler);
  app.onError(onError);
  return app.request("/", {}, SETTINGS);
};

describe("isUnavailable", () => {
  it.each(UNAVAILABLE)("takes for a database that may be back soon: %s", (_, thrown) => {
    expect(isUnavailable(thrown)).toBe(true);
  });

  it.each(OTHERS)("does not take for that: %s", (_, thrown) => {
    expect(isUnavailable(thrown)).toBe(false);
  });

  it("is not misled by what is no error", () => {
    for (const thrown of [null, undefined, "UnavailableError", { name: "UnavailableError" }])
      expect(isUnavailable(thrown)).toBe(false);
  });
});

it("a change that Postgres gave up for another's is a 503 with a time to come back", async () => {
  const response = await answerOf(() => {
    throw query(postgres("40P01"));
  });
  expect([response.status, await response.json()]).toEqual([503, wrapped("SERVICE_UNAVAILABLE")]);
  expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
});

const fail = (): Response => {
  throw query(away());
};

describe("a database that is away", () => {
  it("is a 503 with a time to come back", async () => {
    const response = await answerOf(fail);
    const body = await response.text();
    expect([response.status, JSON.parse(body)]).toEqual([503, wrapped("SERVICE_UNAVAILABLE")]);
    expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect(body).not.toContain("secret");
  });

  it.each([
    ["at once", open(fail)],
    ["later", open(async () => fail())],
  ])("is a 500 at an endpoint that is open to pages, %s", async (_, handler) => {
    const response = await answerOf(handler);
    expect([response.status, await response.json()]).toEqual([500, wrapped("INTERNAL_SERVER_ERROR")]);
    expect(response.headers.get("retry-after")).toBeNull();
  });
});
