import { dayParameter } from "../../../functions/core/days.ts";
import { demo } from "../../../db/demo/network.ts";
import { describe } from "../../../functions/description/describe.ts";
import type { Json } from "../../../functions/description/json-schema.ts";
import type { World } from "../routes/every-route.ts";
import { SECRETS } from "../secrets.ts";
import type { Scene } from "./scene.ts";
import { drawsOf, sampleOf, type Draw, type Suited } from "./sample.ts";

/** Names how a target answers errors: management by code, customers' and advertisers' endpoints always wrapped. */
export type Family = "management" | "explain" | "wrapped" | "page";

/**
 * Describes an endpoint by its requests, a different one for each choice; a path may name ids, the last of which a plan
 * replaces. A request that slips has one part that the endpoint does not accept.
 */
export type Target = {
  name: string;
  family: Family;
  method: string;
  address: (scene: Scene, id?: string) => string;
  query: (scene: Scene, choice: number, slips?: boolean) => string;
  headers: (choice: number) => Record<string, string>;
  body?: ((scene: Scene, choice: number, slips?: boolean) => unknown) | undefined;
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

const suitedTo = ({ world, served, clickId }: Scene): Suited => ({
  siteId: world.site.id,
  advertiserId: world.advertiser.id,
  publisherId: world.publisher.id,
  offerId: world.offer.id,
  placementId: world.placement.id,
  dateStart: dayParameter(Date.now(), 21),
  dateEnd: dayParameter(Date.now()),
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
  // A platform's old token stays valid, so that a scene's other requests still work.
  overlapSeconds: 3_600,
  clickId,
  t: new URL(served.clickUrl).searchParams.get("t") ?? "",
});

const suitedAt = (path: string, scene: Scene): Suited => {
  if (path === "/api/odata") return {};
  const { transactionId } = scene;
  return { ...suitedTo(scene), ...(path === "/conversion/reversal" ? { transactionId } : {}) };
};

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

const queryOf = (parameters: readonly Parameter[], suited: Suited, draw: Draw, slips = false): string => {
  const sent = parameters.filter(({ in: place, required }) => place === "query" && (required || draw(3) === 0));
  const at = slips ? draw(Math.max(1, sent.length)) : -1;
  const values = sent.flatMap(({ name, schema, example }, i): [string, string][] => {
    const isBeside = i === at;
    const known = isBeside || Object.hasOwn(suited, name) ? undefined : example;
    const value = known ?? sampleOf(schema, { draw, suited, schemas }, name, isBeside);
    return (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)]);
  });
  return new URLSearchParams(values.map(([name, value]) => [name, value.toWellFormed()])).toString();
};

/** Holds headers that a request may have; sometimes an idempotency key belongs to another request. */
const HEADERS: Record<string, (draw: Draw) => string> = {
  "If-Match": () => "*",
  "Idempotency-Key": (draw) => `key-${draw(20)}`,
};

const headersOf = (parameters: readonly Parameter[], draw: Draw): Record<string, string> =>
  Object.fromEntries(
    parameters
      .filter(({ in: place }) => place === "header" && draw(4) === 0)
      .map(({ name }) => [name.toLowerCase(), HEADERS[name]?.(draw) ?? ""]),
  );

/** Puts suitable values into an example, whose ids are those of the demo. */
const fitted = (value: unknown, suited: Suited): unknown => {
  if (Array.isArray(value)) return value.map((item) => fitted(item, suited));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, Object.hasOwn(suited, name) ? suited[name] : member]),
  );
};

type Content = { schema: Json; example?: unknown };

/** Makes a body: sometimes the example of the description, else a sample of its schema. */
const bodyOf = ({ schema, example }: Content, suited: Suited, draw: Draw, slips = false): unknown =>
  !slips && draw(3) === 0 ? fitted(example, suited) : sampleOf(schema, { draw, suited, schemas }, "", slips);

const familyOf = (path: string): Family => {
  if (path === "/health" || path === "/") return "page";
  if (path.endsWith("/explain")) return "explain";
  return path.startsWith("/api/") && path !== "/api/odata" ? "management" : "wrapped";
};

const targetOf = (method: string, path: string, operation: object): Target => {
  const {
    parameters = [],
    requestBody,
    security,
  } = operation as {
    parameters?: Parameter[];
    requestBody?: { content: Record<string, Content> };
    security: object[];
  };
  const content = requestBody?.content["application/json"];
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return {
    name: `${method.toUpperCase()} ${path}`,
    family: familyOf(path),
    method: method.toUpperCase(),
    address: ({ world }, id) =>
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        id !== undefined && name === names.at(-1) ? id : idOf(path, name, world),
      ),
    query: (scene, choice, slips) => queryOf(parameters, suitedAt(path, scene), drawsOf(choice), slips),
    headers: (choice) => headersOf(parameters, drawsOf(choice)),
    body: content && ((scene, choice, slips) => bodyOf(content, suitedAt(path, scene), drawsOf(choice), slips)),
    bearer: (scene) => bearerOf(security, scene),
  };
};

const targets = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => targetOf(method, path, operation)),
);

const endsCredential = ({ name }: Target): boolean => name.endsWith("/conversion-secret");
const isDeletion = ({ method }: Target): boolean => method === "DELETE";

/**
 * Lists every operation of the API's description, with deletions last, when the scene no longer needs what they remove.
 */
export const DESCRIBED: Target[] = [
  ...targets.filter((target) => !isDeletion(target) && !endsCredential(target)),
  ...targets.filter(endsCredential),
  // What is below another resource is deleted before it.
  ...targets.filter(isDeletion).toReversed(),
];
