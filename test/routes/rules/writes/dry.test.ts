import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { api, invalid, said, type Answer } from "../../../support/api.ts";
import { makeCreative, makePlacement } from "../../../support/factories.ts";
import { ask, makeSituation } from "../../../support/faults/situation.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import {
  addressOf,
  fingerprint,
  makeWorld,
  ROUTES,
  tokenOf,
  type Route,
  type World,
} from "../../../support/routes/every-route.ts";
import { SECRETS } from "../../../support/secrets.ts";

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

/** Matches a resource's own address, or that of all of its kind. */
const OWN = /^(?:POST|PUT|DELETE) \/api\/(?:site|placements|v1\/(?:publishers|advertisers|offers))(?:\/:\w+)?$/;

const isTried = ({ route }: Route) =>
  OWN.test(route) ||
  /^\w+ \/api\/(?:site|v1\/publishers)\/:\w+\/(?:status|ads)$/.test(route) ||
  /^(?:POST|PUT|DELETE) \/api\/v1\/offers\/(?:import|:offer\/creatives(?:\/:creative)?)$/.test(route);

const DRY = ROUTES.filter(isTried);
const UNTRIED = ROUTES.filter((route) => !isTried(route) && !route.route.startsWith("GET "));

/** Returns what an answer says, without what differs in every answer: new ids, secrets and times. */
const sense = (answer: Answer) =>
  JSON.stringify(said(answer))
    .replaceAll(/\b([a-z]+)_[0-9a-hjkmnp-tv-z]{26}\b/g, "$1_id")
    .replaceAll(/lan_\w+/g, "secret")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time");

const state = async () => [await fingerprint(h), await h.rows("select * from publish_outbox order by id")];

/** Returns the state once everything is published: until then it still changes by itself. */
const settled = async () => {
  await h.cron();
  return state();
};

/** Tries a change, expects that it had no effect, makes it, and expects the same answer. */
const tryAndDo = async (route: Route, world: World, body: unknown, headers: Record<string, string> = {}) => {
  const { method, path } = addressOf(route, world);
  const token = tokenOf(route, world);
  const before = await settled();
  const tried = await api(h, method, `${path}?dryRun=true`, { token, body, headers });
  expect(await state()).toEqual(before);
  const done = await api(h, method, path, { token, body, headers });
  expect(sense(tried)).toBe(sense(done));
  expect([tried, done].map((answer) => answer.headers.get("lanyap-dry-run"))).toEqual(["true", null]);
  return { tried, done, before };
};

it("there are twenty-three changes that may be tried", () => {
  expect(DRY.map(({ route }) => route)).toHaveLength(23);
});

describe.each(UNTRIED)("$route", (route) => {
  it("cannot be tried, and is refused by name", async () => {
    const world = await makeWorld(h);
    const before = await settled();
    const { method, path } = addressOf(route, world);
    const call = { token: tokenOf(route, world), body: route.body?.(world) };
    expect(said(await api(h, method, `${path}?dryRun=true`, call))).toEqual(invalid("dryRun: is not known"));
    expect(await state()).toEqual(before);
  });
});

describe.each(DRY)("$route", (route) => {
  it("tried, is answered as if done and changes nothing", async () => {
    const world = await makeWorld(h);
    const { tried, before } = await tryAndDo(route, world, route.body?.(world));
    expect(tried.status).toBe(route.route.startsWith("POST") && !route.route.endsWith("import") ? 201 : 200);
    expect(tried.headers.get("etag")).toBeNull();
    expect(await state()).not.toEqual(before);
  });

  it("is done with dryRun=false, and refuses every other value", async () => {
    const world = await makeWorld(h);
    const { method, path } = addressOf(route, world);
    const call = { token: tokenOf(route, world), body: route.body?.(world) };
    const refusal = async (query: string) => said(await api(h, method, `${path}?${query}`, call));
    for (const value of ["", "1", "TRUE"]) {
      expect(await refusal(`dryRun=${value}`)).toEqual(invalid("dryRun: must be true or false"));
    }
    expect(await refusal("dryRun=true&dryRun=false")).toEqual(invalid("dryRun: must be given once"));
    const before = await settled();
    const done = await api(h, method, `${path}?dryRun=false`, call);
    expect([done.status < 300, done.headers.get("lanyap-dry-run")]).toEqual([true, null]);
    expect(await state()).not.toEqual(before);
  });

  it("tried without a credential, is refused like any other call", async () => {
    const world = await makeWorld(h);
    const { method, path } = addressOf(route, world);
    const refused = await api(h, method, `${path}?dryRun=true`, { body: route.body?.(world) });
    expect(refused.status).toBe(401);
  });
});

type Body = (world: World) => unknown;
type Case = [
  what: string,
  status: number,
  route: Route["route"],
  body?: Body | undefined,
  headers?: Record<string, string>,
];

const offer = { pricing: "CPC", bidMicros: 1, name: "Offer", title: "T", header: "H", description: "D", ctaText: "Y" };
const whole = { ...offer, declineButtonText: "N", destinationUrl: "https://advertiser.example/" };
const contact = { contactName: "Toni", contactEmail: "toni@test.example" };
const stale = { "if-match": '"0123456789abcdef"' };
const OTHER = "Another site";

const REFUSED: Case[] = [
  ["a taken name", 409, "POST /api/v1/publishers", ({ publisher: { name } }) => ({ name, ...contact })],
  ["another version", 412, "PUT /api/v1/publishers/:publisher", () => ({ contactName: "Toni" }), stale],
  ["another version", 412, "PATCH /api/v1/publishers/:publisher/status", () => ({ status: "inactive" }), stale],
  ["an active placement", 403, "DELETE /api/v1/publishers/:publisher"],
  ["another version", 412, "PATCH /api/site/:site/ads", () => ({ adsEnabled: false }), stale],
  ["a status that is none", 400, "PATCH /api/site/:site/status", () => ({ status: "pending" })],
  ["a site's name that another has", 409, "PUT /api/site/:site", () => ({ name: OTHER })],
  ["a site that is there", 200, "POST /api/site", () => ({ name: OTHER })],
  ["an unknown category", 400, "POST /api/site", () => ({ name: "New", categoryName: "Nothing" })],
  ["an active placement", 403, "DELETE /api/site/:site"],
  ["another version", 412, "PUT /api/site/:site", () => ({ name: "New" }), stale],
  [
    "an unknown site",
    404,
    "POST /api/placements",
    () => ({ name: "P", pageType: "ORDER_PAGE", siteId: newId("site") }),
  ],
  ["another site", 400, "PUT /api/placements/:placement", () => ({ siteId: newId("site") })],
  ["another version", 412, "DELETE /api/placements/:placement", undefined, stale],
  ["a taken name", 409, "POST /api/v1/advertisers", ({ advertiser }) => ({ name: advertiser.name })],
  ["a reach that is not its to set", 400, "PUT /api/v1/advertisers/:advertiser", () => ({ reach: "NETWORK" })],
  ["another version", 412, "DELETE /api/v1/advertisers/:advertiser", undefined, stale],
  ["an unknown advertiser", 404, "POST /api/v1/offers", () => ({ ...whole, advertiserId: newId("advertiser") })],
  [
    "a site that is not there",
    400,
    "POST /api/v1/offers",
    ({ advertiser }) => ({ ...whole, advertiserId: advertiser.id, targeting: { includeSites: [newId("site")] } }),
  ],
  ["a contradiction", 400, "PUT /api/v1/offers/:offer", () => ({ targeting: { amountMin: 5, amountMax: 1 } })],
  ["a stranger", 400, "PUT /api/v1/offers/:offer", () => ({ targeting: { excludeSites: [newId("site")] } })],
  ["another version", 412, "PUT /api/v1/offers/:offer", () => ({ bidMicros: 5 }), stale],
  ["another version", 412, "DELETE /api/v1/offers/:offer", undefined, stale],
  [
    "a creative too many",
    409,
    "POST /api/v1/offers/:offer/creatives",
    () => ({ ...whole, pricing: undefined, bidMicros: undefined }),
  ],
  [
    "a refused row",
    200,
    "POST /api/v1/offers/import",
    ({ advertiser }) => [{ ...whole, advertiserId: advertiser.id }, {}],
  ],
];

describe("tried, is refused as if done, and changes nothing:", () => {
  it.each(REFUSED)("%s, %i of %s", async (_, status, name, body, headers) => {
    const world = await makeWorld(h);
    const { token } = { token: world.publisher.privateKey };
    expect((await api(h, "POST", "/api/site", { token, body: { name: OTHER } })).status).toBe(201);
    await makePlacement(h.db, world.site.id);
    await makeCreative(h.db, world.offer.id);
    await makeCreative(h.db, world.offer.id);
    const route = ROUTES.find((entry) => entry.route === name) as Route;
    const { tried } = await tryAndDo(route, world, body?.(world), headers);
    expect(tried.status).toBe(status);
  });

  it.each(DRY.filter(({ route }) => route.includes("/:")))("an id that nothing has: $route", async (route) => {
    const world = await makeWorld(h);
    const kind = /:(\w+)$/.exec(route.route)?.[1] ?? "offer";
    const { method, path } = addressOf(route, world, newId(kind as "site"));
    const before = await settled();
    const call = { token: tokenOf(route, world), body: route.body?.(world) };
    expect((await api(h, method, `${path}?dryRun=true`, call)).status).toBe(404);
    expect(await state()).toEqual(before);
  });
});

it("what is tried reaches no customer, and nobody is told to publish it", async () => {
  const { inventory, seen, offer: shown } = await makeSituation(h);
  const before = await ask(h, inventory, seen);
  expect(before.ids).toContain(shown.id);
  h.database.trips.length = 0;
  const asPublisher = { token: inventory.publisher.privateKey };
  const asAdmin = { token: SECRETS.ADMIN_TOKEN };
  const body = { isLiveMode: false, status: "inactive" };
  const placement = `/api/placements/${seen}?dryRun=true`;
  expect((await api(h, "PUT", placement, { ...asPublisher, body })).status).toBe(200);
  expect((await api(h, "DELETE", placement, asPublisher)).status).toBe(200);
  expect((await api(h, "DELETE", `/api/v1/offers/${shown.id}?dryRun=true`, asAdmin)).status).toBe(200);
  const paused = { ...asAdmin, body: { status: "paused" } };
  expect((await api(h, "PUT", `/api/v1/offers/${shown.id}?dryRun=true`, paused)).status).toBe(200);
  expect((await ask(h, inventory, seen)).ids).toEqual(before.ids);
  const publications = () =>
    h.database.trips.filter(([first = ""]) => /^\s*select .* from "?publish_outbox"?/.test(first));
  expect(publications()).toEqual([]);
  // One that is made is published alone.
  expect((await api(h, "PUT", `/api/placements/${seen}`, { ...asPublisher, body })).status).toBe(200);
  await h.until(
    () => h.count("publish_outbox"),
    (n) => n === 0,
  );
  expect(publications()).toHaveLength(1);
});
