import { newId } from "../../../db/core/ids.ts";
import type { Method } from "../api.ts";
import { creativeBody, offerBody } from "../factories.ts";

type Kind = "publisher" | "platform" | "admin";
/** Holds the ids that stand for the names in paths. */
export type Ids = Record<"publisher" | "token" | "key" | "advertiser" | "offer" | "creative" | "placement", string>;
/** Describes a route, who may call it, and a body that it accepts. */
export type Route = { method: Method; path: string; kinds: Kind[]; body?: (ids: Ids) => object };

export const anyone: Kind[] = ["publisher", "platform", "admin"];
const manager: Kind[] = ["platform", "admin"];
const overlap = () => ({ overlapSeconds: 60 });
const today = new Date().toISOString().slice(0, 10).replaceAll("-", "");
const days = `dateStart=${today}&dateEnd=${today}`;
const TOKEN = "/api/v1/publishers/:publisher/api-tokens/:token";
const CREATIVES = "/api/v1/offers/:offer/creatives";
const KEYS = "/api/v1/publishers/:publisher/public-keys";

/** Lists the routes of ad operations, which have no shapes of their own for refusals. */
export const AD_ROUTES: Route[] = [
  { method: "POST", path: "/api/v1/advertisers", kinds: manager, body: () => ({ name: newId("advertiser") }) },
  { method: "GET", path: "/api/v1/advertisers", kinds: manager },
  { method: "GET", path: "/api/v1/advertisers/:advertiser", kinds: manager },
  { method: "PUT", path: "/api/v1/advertisers/:advertiser", kinds: manager, body: () => ({ name: newId("event") }) },
  {
    method: "PATCH",
    path: "/api/v1/advertisers/:advertiser/status",
    kinds: manager,
    body: () => ({ status: "paused" }),
  },
  { method: "POST", path: "/api/v1/advertisers/:advertiser/conversion-secret", kinds: manager },
  { method: "POST", path: "/api/v1/offers", kinds: manager, body: ({ advertiser }) => offerBody(advertiser) },
  {
    method: "POST",
    path: "/api/v1/offers/forecast",
    kinds: manager,
    body: ({ advertiser }) => ({ advertiserId: advertiser, pricing: "CPC", bidMicros: 500_000 }),
  },
  { method: "GET", path: "/api/v1/offers", kinds: manager },
  { method: "POST", path: "/api/v1/offers/import", kinds: manager, body: ({ advertiser }) => offerBody(advertiser) },
  { method: "GET", path: "/api/v1/offers/export", kinds: manager },
  { method: "GET", path: "/api/v1/offers/:offer", kinds: manager },
  { method: "GET", path: "/api/v1/offers/:offer/pacing", kinds: manager },
  { method: "PUT", path: "/api/v1/offers/:offer", kinds: manager, body: () => ({ title: "Changed" }) },
  { method: "PATCH", path: "/api/v1/offers/:offer/status", kinds: manager, body: () => ({ status: "paused" }) },
  { method: "POST", path: CREATIVES, kinds: manager, body: () => creativeBody() },
  { method: "GET", path: CREATIVES, kinds: manager },
  { method: "GET", path: `${CREATIVES}/:creative`, kinds: manager },
  { method: "PUT", path: `${CREATIVES}/:creative`, kinds: manager, body: () => ({ title: "Changed" }) },
  { method: "PATCH", path: `${CREATIVES}/:creative/status`, kinds: manager, body: () => ({ status: "paused" }) },
  { method: "DELETE", path: `${CREATIVES}/:creative`, kinds: manager },
  {
    method: "POST",
    path: "/api/v1/offers/explain",
    kinds: anyone,
    body: ({ placement }) => ({ placementId: placement, sessionId: "s-1", "at.orderid": "1001" }),
  },
  { method: "GET", path: `/api/v1/hits?${days}`, kinds: manager },
  { method: "GET", path: `/api/v1/experiments?${days}`, kinds: anyone },
  { method: "GET", path: `/api/report?${days}`, kinds: anyone },
  { method: "GET", path: "/api/v1/rejects", kinds: anyone },
  { method: "POST", path: "/api/v1/rejects/replay", kinds: anyone, body: () => ({}) },
  { method: "GET", path: "/api/v1/dead-letters", kinds: anyone },
  { method: "POST", path: "/api/v1/publishers/:publisher/api-tokens", kinds: anyone, body: () => ({ name: "More" }) },
  { method: "GET", path: TOKEN, kinds: anyone },
  { method: "PUT", path: TOKEN, kinds: anyone, body: () => ({ name: "Renamed" }) },
  { method: "PATCH", path: `${TOKEN}/access`, kinds: manager, body: () => ({ revenueAccess: true }) },
  { method: "POST", path: `${TOKEN}/rotate`, kinds: anyone, body: overlap },
  { method: "GET", path: KEYS, kinds: anyone },
  { method: "POST", path: KEYS, kinds: anyone },
  { method: "POST", path: `${KEYS}/:key/rotate`, kinds: anyone, body: overlap },
  {
    method: "DELETE",
    path: "/api/v1/publishers/:publisher/sessions",
    kinds: anyone,
    body: () => ({ sessionId: "s-1" }),
  },
  { method: "DELETE", path: TOKEN, kinds: anyone },
  { method: "DELETE", path: `${KEYS}/:key`, kinds: anyone },
  { method: "DELETE", path: "/api/v1/offers/:offer", kinds: manager },
  { method: "DELETE", path: "/api/v1/advertisers/:advertiser", kinds: manager },
];
