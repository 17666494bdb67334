import { expect } from "vitest";
import { api, wrapped, type Call, type Method } from "../api.ts";
import type { Harness } from "../harness.ts";
import { makeWorld, type World } from "./every-route.ts";

/** Describes a write to a resource: its method, its path below the resource's, and the body. */
export type Write = [method: Method, path: string, body?: object];

/** Describes a resource: where it is read, by whom, and its writes, the last of which removes it. */
export type Resource = {
  table: string;
  id: (world: World) => string;
  path: string;
  by: "publisher" | "platform";
  writes: Write[];
};

export const RENAMED = { name: "Renamed" };

/** Lists every resource that is read by itself. */
export const RESOURCES: [what: string, resource: Resource][] = [
  [
    "a publisher",
    {
      table: "publishers",
      id: ({ publisher }) => publisher.id,
      path: "/api/v1/publishers/:id",
      by: "publisher",
      writes: [
        ["PUT", "", { contactName: "Robin" }],
        ["PATCH", "/status", { status: "inactive" }],
        ["PATCH", "/ads", { adsEnabled: false }],
        ["PATCH", "/order", { rankBy: "REVENUE" }],
        ["DELETE", ""],
      ],
    },
  ],
  [
    "a publisher's order, and its limits",
    {
      table: "publishers",
      id: ({ publisher }) => publisher.id,
      path: "/api/v1/publishers/:id/order",
      by: "platform",
      writes: [
        ["PATCH", "", { holdoutPercent: 7 }],
        ["PATCH", "/../limits", { elevatedLimits: false }],
      ],
    },
  ],
  [
    "a token",
    {
      table: "api_tokens",
      id: ({ tokenId }) => tokenId,
      path: "/api/v1/publishers/:publisher/api-tokens/:id",
      by: "platform",
      writes: [
        ["PUT", "", RENAMED],
        ["PATCH", "/access", { grossAccess: true }],
        ["DELETE", ""],
      ],
    },
  ],
  [
    "a site",
    {
      table: "sites",
      id: ({ site }) => site.id,
      path: "/api/site/:id",
      by: "publisher",
      writes: [
        ["PUT", "", { description: "New" }],
        ["PATCH", "/status", { status: "inactive" }],
        ["PATCH", "/ads", { adsEnabled: false }],
        ["DELETE", ""],
      ],
    },
  ],
  [
    "a placement",
    {
      table: "placements",
      id: ({ placement }) => placement.id,
      path: "/api/placements/:id",
      by: "publisher",
      writes: [
        ["PUT", "", { data: { brandName: "New" } }],
        ["PATCH", "/status", { status: "active" }],
        ["DELETE", ""],
      ],
    },
  ],
  [
    "an advertiser",
    {
      table: "advertisers",
      id: ({ advertiser }) => advertiser.id,
      path: "/api/v1/advertisers/:id",
      by: "platform",
      writes: [
        ["PUT", "", RENAMED],
        ["PATCH", "/status", { status: "paused" }],
        ["DELETE", ""],
      ],
    },
  ],
  [
    "an offer",
    {
      table: "offers",
      id: ({ offer }) => offer.id,
      path: "/api/v1/offers/:id",
      by: "platform",
      writes: [
        ["PUT", "", { bidMicros: 7_000 }],
        ["PATCH", "/status", { status: "paused" }],
        ["DELETE", ""],
      ],
    },
  ],
  [
    "a creative",
    {
      table: "offer_creatives",
      id: ({ creative }) => creative.id,
      path: "/api/v1/offers/:offer/creatives/:id",
      by: "platform",
      writes: [
        ["PUT", "", { weight: 3 }],
        ["PATCH", "/status", { status: "paused" }],
        ["DELETE", ""],
      ],
    },
  ],
];

/** Makes a world, and functions that ask for a resource in it. */
export const situate = async (h: Harness, resource: Resource) => {
  const world = await makeWorld(h);
  const path = resource.path
    .replace(":id", resource.id(world))
    .replace(":publisher", world.publisher.id)
    .replace(":offer", world.offer.id);
  const token = resource.by === "publisher" ? world.publisher.privateKey : world.platform.token;
  const ask = (method: Method, below = "", { body, ...call }: Call = {}) =>
    api(h, method, path + below, { token, ...(body === undefined ? {} : { body }), ...call });
  const tagNow = async () => (await ask("GET")).headers.get("etag") ?? "";
  return { id: resource.id(world), world, ask, tagNow };
};

/** Matches a tag. */
export const tagPattern: unknown = expect.stringMatching(/^"[0-9a-f]{16}"$/);

/** Holds a tag that no resource has. */
export const FOREIGN = '"0123456789abcdef"';

/** Returns the header that asks for a version. */
export const match = (tag: string) => ({ "if-match": tag });

/** Describes the refusal of a change to a version that is out of date. */
export const stale = (etag: string) => [412, wrapped("PRECONDITION_FAILED", { etag })];
