import { demo } from "../../../db/demo/network.ts";
import type { Offer } from "../../../functions/answer/envelope.ts";
import { describe } from "../../../functions/description/describe.ts";
import type { Json } from "../../../functions/description/json-schema.ts";
import type { World } from "../routes/every-route.ts";
import { SECRETS } from "../secrets.ts";
import { drawsOf, sampleOf, type Draw, type Suited } from "./sample.ts";

/** Names how a target answers errors: management by code, customers' and advertisers' endpoints always wrapped. */
export type Family = "management" | "explain" | "wrapped" | "page";

/** Holds what a target's valid requests are made of. */
export type Scene = { world: World; served: Offer };

/** Describes an endpoint by its valid requests, one for each choice; a path may name ids, the last of which a plan replaces. */
export type Target = {
  name: string;
  family: Family;
  method: string;
  address: (scene: Scene, id?: string) => string;
  query: (scene: Scene, choice: number) => string;
  body?: ((scene: Scene, choice: number) => unknown) | undefined;
  bearer: (scene: Scene) => string;
};

const document = describe();
const { schemas } = document.components;

const IDS: [path: string, of: (world: World) => string][] = [
  ["/api/v1/platforms/", ({ platform }) => platform.id],
  ["/api/v1/publishers/", ({ publisher }) => publisher.id],
  ["/api/v1/advertisers/", ({ advertiser }) => advertiser.id],
  ["/api/v1/offers/", ({ offer }) => offer.id],
  ["/api/site/", ({ site }) => site.id],
  ["/api/placements/", ({ placement }) => placement.id],
];

const idOf = (path: string, name: string, world: World): string => {
  if (name === "tokenId") return world.tokenId;
  if (name === "key") return world.publisher.publicKey;
  if (name === "creativeId") return world.creative.id;
  return IDS.find(([start]) => path.startsWith(start))?.[1](world) ?? "";
};

const suitedTo = ({ world, served }: Scene): Suited => ({
  siteId: world.site.id,
  advertiserId: world.advertiser.id,
  publisherId: world.publisher.id,
  offerId: world.offer.id,
  placementId: world.placement.id,
  dateStart: "20261101",
  dateEnd: "20261122",
  categoryName: "Automotive > Dealerships",
  categories: ["Automotive > Dealerships"],
  countries: ["DE", "US"],
  languages: ["en"],
  currencies: ["EUR"],
  currency: "USD",
  destinationUrl: "https://advertiser.example/landing?c={click_id}",
  termsUrl: "https://advertiser.example/terms",
  url: "/icons/brand.svg",
  storeUrl: "https://store.example",
  privacyUrl: "https://store.example/privacy",
  brandTemplateImageUrl: "https://store.example/logo.png",
  gridGap: "8px",
  gridColumnsDesktop: ["1fr"],
  gridColumnsMobile: "1fr",
  includePublishers: [],
  excludePublishers: [],
  includeSites: [world.site.id],
  excludeSites: [],
  clickId: `${"0".repeat(26)}-${"0".repeat(26)}`,
  t: new URL(served.clickUrl).searchParams.get("t") ?? "",
});

const bearerOf = (security: readonly object[], { world }: Scene): string => {
  const [scheme = ""] = Object.keys(security[0] ?? {});
  const bearers: Record<string, string> = {
    publisherToken: world.publisher.privateKey,
    platformToken: world.platform.token,
    administratorToken: SECRETS.ADMIN_TOKEN,
    conversionSecret: world.advertiser.conversionSecret,
  };
  return bearers[scheme] ?? demo.publicKey;
};

type Parameter = { name: string; in: string; required: boolean; schema: Json; example?: unknown };

const queryOf = (parameters: readonly Parameter[], suited: Suited, draw: Draw): string => {
  const sent = parameters.filter(({ in: place, required }) => place === "query" && (required || draw(3) === 0));
  const values = sent.flatMap(({ name, schema, example }): [string, string][] => {
    const value = example ?? sampleOf(schema, draw, suited, schemas, name);
    return (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)]);
  });
  return new URLSearchParams(values.map(([name, value]) => [name, value.toWellFormed()])).toString();
};

const familyOf = (path: string): Family => {
  if (path === "/health" || path === "/") return "page";
  if (path.endsWith("/explain")) return "explain";
  return path.startsWith("/api/") && path !== "/api/odata" ? "management" : "wrapped";
};

/** Lists every operation of the API's description, with the requests that it describes. */
export const DESCRIBED: Target[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): Target => {
    const {
      parameters = [],
      requestBody,
      security,
    } = operation as {
      parameters?: Parameter[];
      requestBody?: { content: Record<string, { schema: Json; example?: unknown }> };
      security: object[];
    };
    const body = requestBody?.content["application/json"];
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    return {
      name: `${method.toUpperCase()} ${path}`,
      family: familyOf(path),
      method: method.toUpperCase(),
      address: ({ world }, id) =>
        path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
          id !== undefined && name === names.at(-1) ? id : idOf(path, name, world),
        ),
      query: (scene, choice) => queryOf(parameters, path === "/api/odata" ? {} : suitedTo(scene), drawsOf(choice)),
      body: body && ((scene, choice) => sampleOf(body.schema, drawsOf(choice), suitedTo(scene), schemas)),
      bearer: (scene) => bearerOf(security, scene),
    };
  }),
);
