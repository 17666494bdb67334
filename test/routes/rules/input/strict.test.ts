import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { api, invalid, said } from "../../../support/api.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import {
  addressOf,
  call,
  fingerprint,
  makeWorld,
  ofContract,
  ROUTES,
  takesRows,
  tokenOf,
  type Route,
  type World,
} from "../../../support/routes/every-route.ts";

let h: Harness;
let world: World;
let before: Awaited<ReturnType<typeof fingerprint>>;

beforeAll(async () => {
  h = await startHarness();
  world = await makeWorld(h);
  before = await fingerprint(h);
});
afterAll(() => h.close());

const STRICT = ROUTES.filter((route) => !ofContract(route));
const unknown = (...names: string[]) => invalid(...names.map((name) => `${name}: is not known`));
const withQuery = (route: Route, more: string): Route => ({ ...route, query: [route.query, more].join("&") });

const isBodiless = (route: Route) => !route.body && !route.route.startsWith("GET");

type Body = Record<string, unknown>;
const isObject = (value: unknown): value is Body =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Lists each object within a body by its path, with the body that has one member more in it. */
const spoilt = (body: Body, prefix = ""): [path: string, body: Body][] => [
  [`${prefix}unknown`, { ...body, unknown: "x" }],
  ...Object.entries(body).flatMap(([name, part]) =>
    isObject(part)
      ? spoilt(part, `${prefix}${name}.`).map(([path, inner]): [string, Body] => [path, { ...body, [name]: inner }])
      : [],
  ),
];

it("sixteen routes are the contract's", () => {
  expect(ROUTES.length - STRICT.length).toBe(16);
});

describe.each(STRICT)("$route", (route) => {
  it("refuses parameters that it does not know, by name", async () => {
    expect(said(await call(h, withQuery(route, "unknown=1&fbclid=x"), world))).toEqual(unknown("unknown", "fbclid"));
  });

  it("says nothing of them to a stranger", async () => {
    const { method, path } = addressOf(route, world);
    const body = method === "GET" ? undefined : { unknown: 1 };
    expect((await api(h, method, `${path}?unknown=1`, { body })).status).toBe(401);
  });
});

describe.each(STRICT.filter((route) => route.body && !takesRows(route)))("$route", (route) => {
  it("refuses members that it does not know, at any depth and by name", async () => {
    for (const [path, body] of spoilt(route.body?.(world) ?? {})) {
      expect(said(await call(h, route, world, body))).toEqual(unknown(path));
    }
  });
});

describe.each(STRICT.filter(isBodiless))("$route", (route) => {
  it("takes no body", async () => {
    expect(said(await call(h, route, world, { unknown: 1, reason: "x" }))).toEqual(unknown("unknown", "reason"));
    expect(said(await call(h, route, world, "[1]"))).toEqual(invalid("body: must be empty"));
  });
});

it("all of which changes nothing", async () => {
  expect(await fingerprint(h)).toEqual(before);
});

it("tells all that is wrong at once", async () => {
  const body = { name: "", unknown: 1, targeting: { country: "DE", countries: ["ZZ"] } };
  const token = tokenOf({ route: "PUT /api/v1/offers/:offer", by: "platform" }, world);
  expect(said(await api(h, "PUT", `/api/v1/offers/${world.offer.id}`, { token, body }))).toEqual(
    invalid(
      "name: must not be empty",
      "targeting.countries.0: must be two-letter ISO 3166-1 country codes",
      "unknown: is not known",
      "targeting.country: is not known",
    ),
  );
});

describe.each(ROUTES.filter(ofContract))("$route of the contract", (route) => {
  it("ignores what it does not know", async () => {
    const own = await makeWorld(h);
    const body = route.body && { ...route.body(own), unknown: { a: 1 } };
    expect([200, 201]).toContain((await call(h, withQuery(route, "unknown=1&fbclid=x"), own, body)).status);
  });
});

describe.each(ROUTES.filter((route) => ofContract(route) && isBodiless(route)))("$route of the contract", (route) => {
  it("ignores a body", async () => {
    expect((await call(h, route, await makeWorld(h), { unknown: 1 })).status).toBe(200);
  });
});
