import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { api, type Answer } from "../../../support/api.ts";
import { makePlacement, makePublisher } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import {
  addressOf,
  call,
  makeWorld,
  ROUTES,
  tokenOf,
  type Route,
  type World,
} from "../../../support/routes/every-route.ts";

const MAX_ROUND_TRIPS = 2;

let h: Harness;
let shared: World;

beforeAll(async () => {
  h = await startHarness();
  shared = await makeWorld(h);
});
afterAll(() => h.close());

/** The statements that look a credential up, and those with which a document's writer begins and ends. */
const AUTHENTICATION = /\bfrom "?(?:api|platform)_tokens"?[^]*\bhash"? = \$/;
const PUBLICATION = /^\s*(?:select .* from|delete from) "?publish_outbox"?/;

/** How many round trips a request makes: for its credential, and for itself. */
const roundTrips = async (request: () => Promise<Answer>) => {
  const { trips } = h.database;
  trips.length = 0;
  const { status } = await request();
  const own = trips.filter(([first = ""]) => !PUBLICATION.test(first));
  const authentication = own.filter(([first = ""]) => AUTHENTICATION.test(first));
  return { status, authentication: authentication.length, own: own.length - authentication.length };
};

const unknownId = (route: Route, world: World) => {
  const prefix = /:(\w+)[^:]*$/.exec(route.route)?.[1];
  return prefix === "key" ? `${world.publisher.publicKey.slice(0, -1)}_` : newId(prefix as "site");
};

const anonymous = (route: string) => route.replaceAll(/:\w+/g, ":id");

describe("every route of the management API", () => {
  it("is in the table", async () => {
    const { default: app } = await import("../../../../functions/app.ts");
    const routes = app.routes
      .filter(({ method, path }) => method !== "ALL" && path.startsWith("/api/") && path !== "/api/odata")
      .map(({ method, path }) => anonymous(`${method} ${path}`));
    expect(ROUTES.map(({ route }) => anonymous(route)).toSorted()).toEqual([...new Set(routes)].toSorted());
  });

  it.each(ROUTES)("$route makes at most two round trips", async (route) => {
    const authentication = route.by === "admin" ? 0 : 1;
    const world = route.route.startsWith("DELETE") ? await makeWorld(h) : shared;
    const { method, path, hasId } = addressOf(route, world);
    const token = tokenOf(route, world);
    const body = route.body?.(world);

    const anyNumber: unknown = expect.toBeOneOf([0, 1, MAX_ROUND_TRIPS]);
    const some: unknown = expect.toBeOneOf([1, MAX_ROUND_TRIPS]);
    const anonymously = () => api(h, method, path, { body });
    const malformed = () => call(h, route, world, "[]");
    const elsewhere = () => api(h, method, addressOf(route, world, unknownId(route, world)).path, { token, body });
    const requests = [
      [anonymously, { status: 401, authentication: 0, own: 0 }],
      ...(route.body ? [[malformed, { status: 400, authentication, own: 0 }] as const] : []),
      ...(hasId ? [[elsewhere, { status: 404, authentication, own: anyNumber }] as const] : []),
      [() => call(h, route, world), { status: expect.toBeOneOf([200, 201]), authentication, own: some }],
    ] as const;
    for (const [request, expected] of requests) expect(await roundTrips(request)).toEqual(expected);
  });

  it.each(ROUTES.filter(({ route }) => !route.startsWith("GET")))(
    "$route announces what it outdates: nothing is left to the cron, which does not run here",
    async (route) => {
      const world = await makeWorld(h);
      const [before] = await h.rows<{ id: string }>("select coalesce(max(id), 0) as id from publish_outbox");
      await call(h, route, world);
      const left = () => h.count("publish_outbox where id > $1", [before?.id]);
      expect(await h.until(left, (n) => n === 0)).toBe(0);
    },
  );
});

describe("a change under an idempotency key", () => {
  it.each(ROUTES.filter(({ route }) => route.startsWith("POST")))(
    "$route makes at most two round trips, and so does a twin",
    async (route) => {
      const world = await makeWorld(h);
      const { method, path } = addressOf(route, world);
      const headers = { "idempotency-key": newId("event") };
      const sent = { token: tokenOf(route, world), body: route.body?.(world), headers };
      for (let time = 0; time < 2; time++) {
        const { status, own } = await roundTrips(() => api(h, method, path, sent));
        expect([200, 201, 409]).toContain(status);
        expect(own).toBeLessThanOrEqual(MAX_ROUND_TRIPS);
      }
    },
  );
});

describe("a refusal that only the database can know of", () => {
  type Body = (world: World, other: World["publisher"]) => object;
  const contact = { contactName: "Toni", contactEmail: "toni@test.example" };
  const unit = { name: "Unit", pageType: "ORDER_PAGE" };
  const refusals: [what: string, status: number, route: Route["route"], body?: Body][] = [
    ["a taken name", 409, "POST /api/v1/publishers", (_, { name }) => ({ name, ...contact })],
    ["a taken name", 409, "PUT /api/v1/publishers/:publisher", (_, { name }) => ({ name })],
    ["a taken e-mail", 409, "PUT /api/v1/publishers/:publisher", (_, { contactEmail }) => ({ contactEmail })],
    ["a taken name", 409, "POST /api/v1/platforms", ({ platform }) => ({ name: platform.name })],
    ["a name that exists", 200, "POST /api/site", ({ site: { name } }) => ({ name, categoryName: "B2B > B2B" })],
    ["an unknown category", 400, "POST /api/site", () => ({ name: "Site", categoryName: "Nothing" })],
    ["an unknown category", 400, "PUT /api/site/:site", () => ({ categoryName: "Nothing" })],
    ["an unknown site", 404, "POST /api/placements", () => ({ ...unit, siteId: newId("site") })],
    [
      "a store that exists",
      201,
      "POST /api/placements",
      ({ site }) => ({ ...unit, storeName: site.name, storeUrl: "https://store.example" }),
    ],
    ["an active placement", 403, "DELETE /api/site/:site"],
    ["an active placement", 403, "DELETE /api/v1/publishers/:publisher"],
  ];

  it.each(refusals)("%s is answered %i to %s after at most two round trips", async (_, status, name, body) => {
    const world = await makeWorld(h);
    const other = await makePublisher(h.db);
    if (status === 403) await makePlacement(h.db, world.site.id);
    const route = ROUTES.find((entry) => entry.route === name);
    if (!route) throw new Error(`${name} is not in the table`);
    const refused = await roundTrips(() => call(h, route, world, body?.(world, other)));
    expect(refused.status).toBe(status);
    expect(refused.own).toBeLessThanOrEqual(MAX_ROUND_TRIPS);
  });

  it.each(["nul \0 nul", "half a \ud83d surrogate pair"])(
    "is told without it of a category named %j, which it cannot hold",
    async (categoryName) => {
      const { publisher } = await makeWorld(h);
      const body = { name: "Site", categoryName };
      const refused = await roundTrips(() => api(h, "POST", "/api/site", { token: publisher.privateKey, body }));
      expect(refused).toMatchObject({ status: 400, own: 0 });
    },
  );
});
