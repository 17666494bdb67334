import { dayParameter } from "../../../functions/core/days.ts";
import { apiTokens } from "../../../db/schema/accounts.ts";
import { makeApiToken } from "../../../db/accounts/credentials/api-tokens.ts";
import { expect } from "vitest";
import { api, type Answer, type Method } from "../api.ts";
import { makeAdvertiser, makeCreative, makeInventory, makeOffer, makePlatform } from "../factories.ts";
import type { Harness } from "../harness.ts";
import { SECRETS } from "../secrets.ts";
import {
  ads,
  contact,
  creativeFields,
  named,
  offerFields,
  overlap,
  placementFields,
  siteFields,
  status,
} from "./bodies.ts";

/** Makes one of everything that {@link ROUTES} name. Its only placement is inactive. */
export const makeWorld = async ({ db }: Harness) => {
  const platform = await makePlatform(db);
  const { publisher, site, placement } = await makeInventory(db, {
    publisher: { platformId: platform.id, elevatedLimits: true },
    placement: { status: "inactive" },
  });
  const advertiser = await makeAdvertiser(db, { platformId: platform.id });
  const offer = await makeOffer(db, advertiser.id, { includeSites: [site.id] });
  const creative = await makeCreative(db, offer.id);
  const { row } = await makeApiToken(publisher.id, "Second", SECRETS.TOKEN_ENCRYPTION_KEY);
  await db.insert(apiTokens).values(row);
  return { platform, publisher, site, placement, advertiser, offer, creative, tokenId: row.id };
};

export type World = Awaited<ReturnType<typeof makeWorld>>;
type Caller = "platform" | "publisher" | "admin";

/**
 * Describes a route of the management API: its name in the app, one caller who may use it, and a body and query that it
 * accepts.
 */
export type Route = {
  route: `${Method} /api/${string}`;
  by: Caller;
  body?: (world: World) => Record<string, unknown>;
  query?: string;
};

const DAYS = `dateStart=${dayParameter(Date.now(), 21)}&dateEnd=${dayParameter(Date.now(), 20)}`;

/** Lists every route of the management API. A new route belongs in here. */
export const ROUTES: Route[] = [
  { route: "POST /api/v1/platforms", by: "admin", body: () => ({ ...named(), elevatedLimits: true }) },
  { route: "GET /api/v1/platforms", by: "admin" },
  { route: "PUT /api/v1/platforms/:platform", by: "admin", body: () => ({ ...named(), elevatedLimits: true }) },
  { route: "POST /api/v1/platforms/:platform/token", by: "admin", body: overlap },
  { route: "POST /api/v1/publishers", by: "platform", body: () => ({ ...named(), ...contact() }) },
  { route: "GET /api/v1/publishers", by: "platform", query: "include=relations" },
  { route: "GET /api/v1/publishers/me", by: "publisher", query: "include=relations" },
  { route: "GET /api/v1/publishers/:publisher", by: "publisher", query: "include=relations" },
  { route: "PUT /api/v1/publishers/:publisher", by: "publisher", body: () => ({ ...named(), ...contact() }) },
  { route: "PATCH /api/v1/publishers/:publisher/status", by: "platform", body: status },
  { route: "PATCH /api/v1/publishers/:publisher/ads", by: "publisher", body: ads },
  { route: "PATCH /api/v1/publishers/:publisher/limits", by: "platform", body: () => ({ elevatedLimits: true }) },
  { route: "GET /api/v1/publishers/:publisher/order", by: "publisher" },
  { route: "PATCH /api/v1/publishers/:publisher/order", by: "publisher", body: () => ({ rankBy: "REVENUE" }) },
  { route: "GET /api/v1/publishers/:publisher/events", by: "platform" },
  { route: "DELETE /api/v1/publishers/:publisher", by: "publisher" },
  { route: "GET /api/v1/publishers/:publisher/api-tokens", by: "publisher" },
  { route: "POST /api/v1/publishers/:publisher/api-tokens", by: "platform", body: named },
  { route: "GET /api/v1/publishers/:publisher/api-tokens/:token", by: "platform" },
  { route: "PUT /api/v1/publishers/:publisher/api-tokens/:token", by: "platform", body: named },
  {
    route: "PATCH /api/v1/publishers/:publisher/api-tokens/:token/access",
    by: "platform",
    body: () => ({ revenueAccess: true, grossAccess: true }),
  },
  { route: "POST /api/v1/publishers/:publisher/api-tokens/:token/rotate", by: "platform", body: overlap },
  { route: "DELETE /api/v1/publishers/:publisher/api-tokens/:token", by: "platform" },
  { route: "GET /api/v1/api-tokens", by: "platform", query: "publisherId=:publisher" },
  { route: "GET /api/v1/publishers/:publisher/public-keys", by: "platform" },
  { route: "POST /api/v1/publishers/:publisher/public-keys", by: "platform" },
  { route: "POST /api/v1/publishers/:publisher/public-keys/:key/rotate", by: "platform", body: overlap },
  { route: "DELETE /api/v1/publishers/:publisher/public-keys/:key", by: "platform" },
  { route: "DELETE /api/v1/publishers/:publisher/sessions", by: "platform", body: () => ({ sessionId: "s-1" }) },
  { route: "GET /api/v1/audit", by: "platform", query: "resource=publisher&action=create" },
  { route: "GET /api/v1/overview", by: "platform" },
  { route: "GET /api/v1/me", by: "platform" },
  { route: "GET /api/v1/operations", by: "admin" },
  { route: "GET /api/v1/outbox", by: "admin" },
  { route: "GET /api/v1/directory/publishers", by: "platform", query: "search=a&status=active&adsEnabled=true" },
  { route: "GET /api/v1/directory/sites", by: "publisher", query: "search=a&status=active&adsEnabled=true" },
  { route: "GET /api/v1/directory/placements", by: "admin", query: "search=a&status=active&isLiveMode=true" },
  { route: "GET /api/v1/categories", by: "publisher", query: "search=a" },
  { route: "POST /api/v1/advertisers", by: "platform", body: named },
  { route: "GET /api/v1/advertisers", by: "platform", query: "search=a&status=active" },
  { route: "GET /api/v1/advertisers/:advertiser", by: "platform" },
  { route: "PUT /api/v1/advertisers/:advertiser", by: "platform", body: named },
  { route: "PATCH /api/v1/advertisers/:advertiser/status", by: "platform", body: () => ({ status: "paused" }) },
  { route: "POST /api/v1/advertisers/:advertiser/conversion-secret", by: "platform" },
  { route: "DELETE /api/v1/advertisers/:advertiser", by: "platform" },
  {
    route: "POST /api/v1/offers/explain",
    by: "platform",
    body: ({ placement }) => ({
      placementId: placement.id,
      sessionId: "s-1",
      "at.orderid": "1001",
      "at.country": "DE",
    }),
  },
  {
    route: "POST /api/v1/offers",
    by: "platform",
    body: ({ advertiser }) => ({ ...offerFields(), advertiserId: advertiser.id }),
  },
  {
    route: "POST /api/v1/offers/import",
    by: "platform",
    body: ({ advertiser }) => ({ ...offerFields(), advertiserId: advertiser.id }),
  },
  { route: "GET /api/v1/offers/export", by: "platform", query: "search=a&status=active" },
  {
    route: "POST /api/v1/offers/forecast",
    by: "platform",
    body: ({ advertiser }) => ({ ...offerFields(), advertiserId: advertiser.id }),
  },
  { route: "GET /api/v1/offers", by: "platform", query: "search=a&status=active" },
  { route: "GET /api/v1/offers/:offer", by: "platform" },
  { route: "GET /api/v1/offers/:offer/pacing", by: "platform" },
  { route: "PUT /api/v1/offers/:offer", by: "platform", body: offerFields },
  { route: "PATCH /api/v1/offers/:offer/status", by: "platform", body: () => ({ status: "paused" }) },
  { route: "POST /api/v1/offers/:offer/creatives", by: "platform", body: creativeFields },
  { route: "GET /api/v1/offers/:offer/creatives", by: "platform" },
  { route: "GET /api/v1/offers/:offer/creatives/:creative", by: "platform" },
  { route: "PUT /api/v1/offers/:offer/creatives/:creative", by: "platform", body: creativeFields },
  {
    route: "PATCH /api/v1/offers/:offer/creatives/:creative/status",
    by: "platform",
    body: () => ({ status: "paused" }),
  },
  { route: "DELETE /api/v1/offers/:offer/creatives/:creative", by: "platform" },
  { route: "DELETE /api/v1/offers/:offer", by: "platform" },
  { route: "GET /api/v1/hits", by: "platform", query: DAYS },
  { route: "GET /api/v1/rejects", by: "platform" },
  { route: "POST /api/v1/rejects/replay", by: "platform", body: () => ({}) },
  { route: "GET /api/v1/dead-letters", by: "platform" },
  { route: "GET /api/v1/experiments", by: "publisher", query: DAYS },
  { route: "GET /api/report", by: "publisher", query: DAYS },
  { route: "POST /api/site", by: "publisher", body: siteFields },
  { route: "GET /api/site", by: "publisher", query: "include=relations&stats=true" },
  { route: "GET /api/site/:site", by: "publisher" },
  { route: "PUT /api/site/:site", by: "publisher", body: siteFields },
  { route: "PATCH /api/site/:site/status", by: "publisher", body: status },
  { route: "PATCH /api/site/:site/ads", by: "publisher", body: ads },
  { route: "GET /api/site/:site/events", by: "platform" },
  { route: "DELETE /api/site/:site", by: "publisher" },
  {
    route: "POST /api/placements",
    by: "publisher",
    body: () => ({ ...placementFields(), storeName: "Store", storeUrl: "https://store.example" }),
  },
  { route: "GET /api/placements", by: "publisher" },
  { route: "GET /api/placements/:placement", by: "publisher" },
  { route: "PUT /api/placements/:placement", by: "publisher", body: placementFields },
  { route: "PATCH /api/placements/:placement/status", by: "publisher", body: () => ({ status: "active" }) },
  { route: "DELETE /api/placements/:placement", by: "publisher" },
];

const idsOf = (world: World): Record<string, string> => ({
  platform: world.platform.id,
  publisher: world.publisher.id,
  token: world.tokenId,
  key: world.publisher.publicKey,
  advertiser: world.advertiser.id,
  offer: world.offer.id,
  creative: world.creative.id,
  site: world.site.id,
  placement: world.placement.id,
});

/** Tells whether a route takes rows, each of which has a result of its own. Separate tests cover what it refuses. */
export const takesRows = ({ route }: Route): boolean => route.endsWith("/import");

/** Returns a route's query, with the ids of a world. */
export const queryOf = ({ query = "" }: Route, world: World): string =>
  query.replaceAll(/:(\w+)/g, (part, name: string) => idsOf(world)[name] ?? part);

/** Tells whether a route belongs to the contract, which ignores unknown members. */
export const ofContract = ({ route }: Route): boolean =>
  /^\w+ \/api\/(?:site|v1\/publishers)(?:\/:?\w+)?(?:\/(?:status|ads))?$|^GET .*\/publishers\/:\w+\/api-tokens$/.test(
    route,
  );

/** Returns a route's method and path, with the ids of a world. `lastId` takes the place of the last id. */
export const addressOf = (route: Route, world: World, lastId?: string) => {
  const [method = "", pattern = ""] = route.route.split(" ");
  const ids = idsOf(world);
  const last = pattern.match(/:\w+/g)?.at(-1);
  const path = pattern.replaceAll(/:(\w+)/g, (part, name: string) =>
    part === last && lastId !== undefined ? lastId : (ids[name] ?? part),
  );
  return { method: method as Method, path, hasId: last !== undefined };
};

export const tokenOf = ({ by }: Route, { platform, publisher }: World): string =>
  ({ platform: platform.token, publisher: publisher.privateKey, admin: SECRETS.ADMIN_TOKEN })[by];

/** Makes a route's request as its table entry says, or with another body. */
export const call = (h: Harness, route: Route, world: World, body: unknown = route.body?.(world)) => {
  const { method, path } = addressOf(route, world);
  return api(h, method, `${path}?${queryOf(route, world)}`, { token: tokenOf(route, world), body });
};

/** Returns a fingerprint of everything in the database except the traces of authentication and publication. */
export const fingerprint = async (h: Harness) => {
  const tables = await h.rows<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'publish_outbox' order by tablename",
  );
  const prints = tables.map(async ({ name }) => {
    const row = name === "api_tokens" ? `to_jsonb(t) - 'last_used_on'` : "t";
    const query = `select count(*) as rows, md5(string_agg((${row})::text, '|' order by (${row})::text)) as sum from ${name} t`;
    return [name, await h.rows(query)] as const;
  });
  return Object.fromEntries(await Promise.all(prints));
};

/** Expects that the caller is refused, in one of the two shapes of an error. */
export const expectRefusal = (answer: Answer) => {
  const flat = { error: expect.any(String), code: expect.any(String), timestamp: expect.any(String) };
  const wrapped = { success: false, error: { code: expect.any(String), message: expect.any(String) } };
  const isFlat = Object.hasOwn(answer.json as object, "code");
  expect({ status: answer.status, json: answer.json }).toMatchObject({
    status: expect.toBeOneOf([400, 401, 404, 409]),
    json: isFlat ? flat : wrapped,
  });
};
