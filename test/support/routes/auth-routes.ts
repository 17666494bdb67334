import { apiTokens } from "../../../db/schema/accounts.ts";
import { makeApiToken } from "../../../db/accounts/credentials/api-tokens.ts";
import { api, type Method } from "../api.ts";
import { makeInventory, makePlatform } from "../factories.ts";
import type { Harness } from "../harness.ts";
import { SECRETS } from "../secrets.ts";

export type Kind = "publisher" | "platform" | "admin";
export type Route = { method: Method; path: string; kinds: Kind[]; body?: object };

const manager: Kind[] = ["platform", "admin"];
export const anyone: Kind[] = ["publisher", "platform", "admin"];
const contact = { contactName: "Toni", contactEmail: "toni@test.example" };

/** Lists the routes of publishers, sites and placements, each with who may call it and a body that it accepts. */
export const ROUTES: Route[] = [
  { method: "POST", path: "/api/v1/publishers", kinds: ["platform"], body: { name: "Made", ...contact } },
  { method: "GET", path: "/api/v1/publishers", kinds: ["platform"] },
  { method: "GET", path: "/api/v1/publishers/me", kinds: ["publisher"] },
  { method: "GET", path: "/api/v1/publishers/:publisher", kinds: ["publisher"] },
  { method: "PUT", path: "/api/v1/publishers/:publisher", kinds: ["publisher"], body: { contactName: "Kim" } },
  { method: "GET", path: "/api/v1/publishers/:publisher/api-tokens", kinds: ["publisher"] },
  { method: "POST", path: "/api/v1/publishers/:publisher/api-tokens", kinds: anyone, body: { name: "Made" } },
  { method: "GET", path: "/api/v1/publishers/:publisher/api-tokens/:token", kinds: anyone },
  { method: "PUT", path: "/api/v1/publishers/:publisher/api-tokens/:token", kinds: anyone, body: { name: "Renamed" } },
  {
    method: "PATCH",
    path: "/api/v1/publishers/:publisher/api-tokens/:token/access",
    kinds: manager,
    body: { revenueAccess: true },
  },
  { method: "POST", path: "/api/v1/publishers/:publisher/api-tokens/:token/rotate", kinds: anyone, body: {} },
  { method: "DELETE", path: "/api/v1/publishers/:publisher/api-tokens/:token", kinds: anyone },
  { method: "GET", path: "/api/v1/api-tokens?publisherId=:publisher", kinds: manager },
  { method: "GET", path: "/api/v1/publishers/:publisher/public-keys", kinds: anyone },
  { method: "POST", path: "/api/v1/publishers/:publisher/public-keys", kinds: anyone },
  { method: "POST", path: "/api/v1/publishers/:publisher/public-keys/:key/rotate", kinds: anyone, body: {} },
  { method: "DELETE", path: "/api/v1/publishers/:publisher/public-keys/:key", kinds: anyone },
  { method: "PATCH", path: "/api/v1/publishers/:publisher/status", kinds: anyone, body: { status: "inactive" } },
  { method: "PATCH", path: "/api/v1/publishers/:publisher/ads", kinds: anyone, body: { adsEnabled: false } },
  {
    method: "PATCH",
    path: "/api/v1/publishers/:publisher/limits",
    kinds: manager,
    body: { elevatedLimits: true },
  },
  { method: "GET", path: "/api/v1/publishers/:publisher/order", kinds: anyone },
  { method: "PATCH", path: "/api/v1/publishers/:publisher/order", kinds: anyone, body: { rankBy: "REVENUE" } },
  { method: "GET", path: "/api/v1/publishers/:publisher/events", kinds: anyone },
  { method: "GET", path: "/api/v1/audit", kinds: anyone },
  { method: "GET", path: "/api/v1/categories", kinds: anyone },
  { method: "GET", path: "/api/v1/overview", kinds: anyone },
  { method: "GET", path: "/api/v1/me", kinds: anyone },
  { method: "GET", path: "/api/v1/operations", kinds: ["admin"] },
  { method: "GET", path: "/api/v1/outbox", kinds: ["admin"] },
  { method: "GET", path: "/api/v1/directory/publishers", kinds: anyone },
  { method: "GET", path: "/api/v1/directory/sites", kinds: anyone },
  { method: "GET", path: "/api/v1/directory/placements", kinds: anyone },
  { method: "POST", path: "/api/site", kinds: ["publisher"], body: { name: "Made" } },
  { method: "GET", path: "/api/site", kinds: ["publisher"] },
  { method: "GET", path: "/api/site/:site", kinds: ["publisher"] },
  { method: "PUT", path: "/api/site/:site", kinds: ["publisher"], body: { orderVolume: 1 } },
  { method: "PATCH", path: "/api/site/:site/status", kinds: ["publisher"], body: { status: "inactive" } },
  { method: "PATCH", path: "/api/site/:site/ads", kinds: ["publisher"], body: { adsEnabled: false } },
  { method: "GET", path: "/api/site/:site/events", kinds: anyone },
  {
    method: "POST",
    path: "/api/placements",
    kinds: ["publisher"],
    body: { name: "Made", pageType: "ORDER_PAGE", storeName: "Made too", storeUrl: "https://shop.example" },
  },
  { method: "GET", path: "/api/placements", kinds: ["publisher"] },
  { method: "GET", path: "/api/placements/:placement", kinds: ["publisher"] },
  { method: "PUT", path: "/api/placements/:placement", kinds: ["publisher"], body: { name: "Renamed" } },
  { method: "PATCH", path: "/api/placements/:placement/status", kinds: ["publisher"], body: { status: "inactive" } },
  { method: "POST", path: "/api/v1/platforms", kinds: ["admin"], body: { name: "Made" } },
  { method: "GET", path: "/api/v1/platforms", kinds: ["admin"] },
  { method: "PUT", path: "/api/v1/platforms/:platform", kinds: ["admin"], body: { elevatedLimits: true } },
  { method: "POST", path: "/api/v1/platforms/:platform/token", kinds: ["admin"], body: { overlapSeconds: 60 } },
  { method: "DELETE", path: "/api/placements/:placement", kinds: ["publisher"] },
  { method: "DELETE", path: "/api/site/:site", kinds: ["publisher"] },
  { method: "DELETE", path: "/api/v1/publishers/:publisher", kinds: ["publisher"] },
];

const title = ({ method, path }: Route) => `${method} ${path}`;
/** Returns routes as rows of a table of tests. */
export const titled = (routes: Route[]) => routes.map((route) => [title(route), route] as const);

/**
 * Makes a platform with a publisher, and one of everything that a path can name. Its placement is inactive, so that it
 * does not prevent deletions of the rest.
 */
export const makeTenant = async ({ db }: Harness) => {
  const platform = await makePlatform(db);
  const { publisher, site, placement } = await makeInventory(db, {
    publisher: { platformId: platform.id },
    placement: { status: "inactive" },
  });
  const { row } = await makeApiToken(publisher.id, "Second", SECRETS.TOKEN_ENCRYPTION_KEY);
  await db.insert(apiTokens).values(row);
  return {
    ids: {
      token: row.id,
      key: publisher.publicKey,
      publisher: publisher.id,
      site: site.id,
      placement: placement.id,
      platform: platform.id,
    },
    publicKey: publisher.publicKey,
    tokens: { publisher: publisher.privateKey, platform: platform.token, admin: SECRETS.ADMIN_TOKEN },
  };
};
export type Tenant = Awaited<ReturnType<typeof makeTenant>>;
export type Ids = Tenant["ids"];

/** Calls a route with a tenant's ids in its path. */
export const call = (h: Harness, route: Route, ids: Ids, token?: string, headers: Record<string, string> = {}) => {
  const path = route.path.replace(/:(\w+)/g, (_, name: keyof Ids) => ids[name]);
  return api(h, route.method, path, { token, body: route.body, headers });
};
