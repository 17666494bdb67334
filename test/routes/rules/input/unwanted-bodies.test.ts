import { request } from "node:http";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { addressOf, makeWorld, queryOf, ROUTES, tokenOf, type World } from "../../../support/routes/every-route.ts";

let h: Harness;
let world: World;
beforeAll(async () => {
  h = await sharedHarness();
  world = await makeWorld(h);
});

type Asked = { token?: string; body?: string };

/** Asks with a body, which fetch refuses to send with GET and HEAD, and returns status and text of the answer. */
const ask = (method: string, path: string, { token, body = '{"unknown": 1}' }: Asked = {}) =>
  new Promise<[status: number | undefined, body: string]>((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const asked = request(`${h.url}${path}`, { method, headers }, (response) => {
      text(response).then((answer) => resolve([response.statusCode, answer]), reject);
    });
    asked.on("error", reject);
    asked.end(body);
  });

describe.each(ROUTES.filter(({ route }) => route.startsWith("GET ")))("$route", (route) => {
  it("ignores a body", async () => {
    const { path } = addressOf(route, world);
    const address = `${path}?${queryOf(route, world)}`;
    const token = tokenOf(route, world);
    expect((await ask("GET", address, { token }))[0]).toBe(200);
    expect(await ask("HEAD", address, { token })).toEqual([200, ""]);
    expect((await ask("GET", address))[0]).toBe(401);
  });
});

it.each([
  ["a page", "/", 200],
  ["health", "/health", 200],
  ["a path that is none", "/api/v1/nothing", 404],
  ["a method that is none of its path", "/api/v1/rejects/replay", 405],
  ["conversions without a secret", "/conversion", 401],
])("ignores a body of GET at %s", async (_, path, status) => {
  expect((await ask("GET", path))[0]).toBe(status);
  expect(await ask("HEAD", path)).toEqual([status, ""]);
});

it("ignores a body of GET that is larger than any that is taken", async () => {
  const body = JSON.stringify("x".repeat(1024 * 1024));
  expect((await ask("GET", "/api/site", { token: world.publisher.privateKey, body }))[0]).toBe(200);
});
