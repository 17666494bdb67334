import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { api, flat, said, type Answer } from "../../../support/api.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import {
  addressOf,
  call,
  expectRefusal,
  fingerprint,
  makeWorld,
  ROUTES,
  tokenOf,
  type Route,
  type World,
} from "../../../support/routes/every-route.ts";

const WITH_ID = ROUTES.filter((route) => route.route.includes(":"));

let h: Harness;
let world: World;
let before: Awaited<ReturnType<typeof fingerprint>>;

beforeAll(async () => {
  h = await startHarness();
  world = await makeWorld(h);
  before = await fingerprint(h);
});
afterAll(() => h.close());

const invalid = (answer: Answer) => [400, flat("VALIDATION_FAILED", (answer.json as { details?: unknown }).details)];

describe("a path", () => {
  const ids = ["%00", "%ff", "%F0%9F%92%90", "__proto__", "x".repeat(8000), "'%20or%201=1--", "..%2f..%2fme"];

  it.each(WITH_ID)("with a hostile id is unknown: $route", async (route) => {
    const token = tokenOf(route, world);
    const valid =
      addressOf(route, world)
        .path.split("/")
        .find((part) => /^(?:plat|pub|tok|adv|ofr|site|plc)_/.test(part)) ?? "";
    const others = [
      `evt${valid.slice(valid.indexOf("_"))}`,
      valid.toUpperCase(),
      `${valid}0`,
      valid.slice(0, -1),
      `%20${valid}`,
    ];
    for (const id of [...ids, ...others]) {
      const { method, path } = addressOf(route, world, id);
      const answer = await api(h, method, path, { token, body: route.body?.(world) });
      expect([id, answer.status, answer.json]).toEqual([
        id,
        404,
        expect.objectContaining({ code: "RESOURCE_NOT_FOUND" }),
      ]);
    }
  });
});

describe("a query", () => {
  const pages = [
    "skip=-1",
    "skip=1.5",
    "skip=1e3",
    "skip=",
    "skip=%00",
    "skip=NaN",
    "skip=9007199254740993",
    "skip=1&skip=2",
    "take=0",
    "take=101",
    "take=-5",
    "take=ten",
    "take=%D9%A4",
    "take=99999999999999999999",
  ];
  const included = [
    "include=",
    "include=RELATIONS",
    "include=relations,sites",
    "include=%00",
    "include=relations&include=relations",
    "include=__proto__",
  ];
  const lists: [path: string, by: Route["by"], queries: string[]][] = [
    ["/api/v1/publishers", "platform", [...pages, ...included]],
    ["/api/v1/publishers/me", "publisher", included],
    ["/api/v1/publishers/:publisher", "publisher", included],
    ["/api/v1/publishers/:publisher/events", "admin", pages],
    ["/api/v1/platforms", "admin", pages],
    ["/api/v1/advertisers", "platform", [...pages, "search=%00", "status=off"]],
    ["/api/v1/offers", "platform", [...pages, "search=%00", "status=off"]],
    ["/api/site", "publisher", [...pages, ...included, "stats=1", "stats=%00", "stats=true&stats=true"]],
    ["/api/site/:site/events", "admin", pages],
    ["/api/placements", "publisher", [...pages, "status=archived", "status=", "status=active&status=active"]],
    ["/api/v1/experiments", "publisher", ["", "dateStart=x&dateEnd=20261102", "dateStart=20261102&dateEnd=20261101"]],
    ["/api/report", "publisher", ["", "dateStart=%00&dateEnd=20261102", "dateStart=20261102&dateEnd=20261101"]],
  ];

  it.each(lists)("of %s is refused where it breaks the rules of lists", async (path, by, queries) => {
    const route: Route = { route: `GET ${path}` as Route["route"], by };
    for (const query of queries) {
      const answer = await call(h, { ...route, query }, world);
      expect([query, ...said(answer)]).toEqual([query, ...invalid(answer)]);
    }
  });

  it.each(["__proto__=x", "__proto__[skip]=1", "constructor=1", "toString=1", "%00=%00", "a=%ff", "skip[]=1"])(
    "of the contract may have a parameter that nobody asked for, and no other: %s",
    async (query) => {
      expect((await call(h, { route: "GET /api/site", by: "publisher", query }, world)).status).toBe(200);
      const name = [...new URLSearchParams(query).keys()].join(" ");
      const refused = await call(h, { route: "GET /api/placements", by: "publisher", query }, world);
      expect(said(refused)).toEqual([400, flat("VALIDATION_FAILED", [`${name}: is not known`])]);
    },
  );
});

describe("a credential", () => {
  const headers = ["", "Bearer", `Bearer ${"x".repeat(8000)}`, `Bearer lan_sk_${"é".repeat(49)}`, "Bearer a b"];

  it.each(ROUTES)("of a hostile form is none: $route", async (route) => {
    const { method, path } = addressOf(route, world);
    const valid = tokenOf(route, world);
    for (const authorization of [
      ...headers,
      valid,
      `Bearer ${valid}\u00a0`,
      `Bearer ${valid} ${valid}`,
      `Bearer${valid}`,
    ]) {
      const answer = await api(h, method, path, { body: route.body?.(world), headers: { authorization } });
      expect(answer.status).toBe(401);
      expectRefusal(answer);
    }
  });
});

it("all of which changes nothing", async () => {
  expect(await fingerprint(h)).toEqual(before);
});
