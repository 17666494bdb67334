import { demo } from "../../../db/demo/network.ts";
import type { Offer } from "../../../functions/answer/envelope.ts";
import { addressOf, queryOf, ROUTES, tokenOf, type World } from "../routes/every-route.ts";
import { SECRETS } from "../secrets.ts";
import { bodyOf } from "./bodies.ts";
import type { Plan } from "./plans.ts";

/** Names how a target answers errors: management by code, customers' and advertisers' endpoints always wrapped. */
export type Family = "management" | "explain" | "wrapped" | "page";

/** Holds what a target's valid requests are made of. */
export type Scene = { world: World; served: Offer };

/** Describes an endpoint by its valid request; a path may name ids, the last of which a plan replaces. */
export type Target = {
  name: string;
  family: Family;
  method: string;
  address: (scene: Scene, id?: string) => string;
  query: (scene: Scene) => string;
  body?: ((scene: Scene) => object) | undefined;
  bearer: (scene: Scene) => string;
};

/** Describes a request that is ready to be sent. */
export type Ready = { target: Target; method: string; path: string; headers: Record<string, string>; body?: string };

const management = ROUTES.map((route): Target => {
  const [method = ""] = route.route.split(" ");
  const { body } = route;
  return {
    name: route.route,
    family: route.route.endsWith("/explain") ? "explain" : "management",
    method,
    address: ({ world }, id) => addressOf(route, world, id).path,
    query: ({ world }) => queryOf(route, world),
    body: body && (({ world }) => body(world)),
    bearer: ({ world }) => tokenOf(route, world),
  };
});

const trackingToken = ({ served }: Scene): string => new URL(served.clickUrl).search.slice(1);
const offerQuery = `placementId=${demo.placements.live}&sessionId=s-1&at.orderid=1&at.country=US&at.language=en&count=2`;
const clickId = `${"0".repeat(26)}-${"0".repeat(26)}`;
const secretOf = ({ world }: Scene): string => world.advertiser.conversionSecret;

type Simple = Partial<Omit<Target, "name" | "method" | "address" | "query">> & { query?: string | Target["query"] };

const simple = (name: string, { query = "", ...more }: Simple = {}): Target => {
  const [method = "", path = ""] = name.split(" ");
  return {
    name,
    family: "page",
    method,
    address: (_, id) => (id === undefined ? path : `${path.slice(0, path.lastIndexOf("/"))}/${id}`),
    query: typeof query === "string" ? () => query : query,
    bearer: () => demo.publicKey,
    ...more,
  };
};

const conversion = { clickId, transactionId: "t-1", amount: 5, currency: "USD", test: true };

/** Lists every endpoint, with deletions last: what a scene loses is then no longer needed. */
export const TARGETS: Target[] = [
  simple("GET /api/odata", { family: "wrapped", query: offerQuery }),
  simple("GET /vdata", { family: "wrapped", query: trackingToken }),
  simple("POST /vdata", { family: "wrapped", query: trackingToken }),
  simple("GET /close", { family: "wrapped", query: trackingToken }),
  simple("POST /close", { family: "wrapped", query: trackingToken }),
  simple("GET /click", { family: "wrapped", query: trackingToken }),
  simple("POST /click", { family: "wrapped", query: trackingToken }),
  simple("GET /conversion", { family: "wrapped", bearer: secretOf, query: "state=counted&take=5" }),
  simple("POST /conversion", { family: "wrapped", bearer: secretOf, body: () => conversion }),
  simple("POST /conversion/reversal", {
    family: "wrapped",
    bearer: secretOf,
    body: () => ({ transactionId: "t-1", reason: "x" }),
  }),
  simple("GET /health", { query: "deep=1" }),
  ...[
    "/embed.js",
    "/embed.json",
    "/openapi.json",
    "/icons/coffee.svg",
    "/privacy",
    "/ui/webview",
    "/ui/demo.js",
    "/demo",
    "/console",
    "/console/publishers",
    "/console/demo.json",
    "/console/app-0.js",
    "/docs",
    "/docs/errors",
    "/docs/looks.png",
    "/demo/figures",
    "/",
    "/llms.txt",
    "/favicon.ico",
    "/robots.txt",
  ].map((path) => simple(`GET ${path}`)),
  simple("GET /embed.0123456789abcdef.js"),
  simple("GET /api/v1/nothing/here"),
  ...management.filter(({ method }) => method !== "DELETE"),
  // What is below goes before what it is in.
  ...management.filter(({ method }) => method === "DELETE").toReversed(),
];

const bearerOf = ({ caller, garbage }: Plan, target: Target, scene: Scene): string | undefined => {
  if (caller === "none") return undefined;
  if (caller === "garbage") return garbage;
  const { world } = scene;
  const tokens = { publisher: world.publisher.privateKey, platform: world.platform.token, admin: SECRETS.ADMIN_TOKEN };
  const own = { own: target.bearer(scene), public: world.publisher.publicKey, ...tokens };
  return `Bearer ${own[caller]}`;
};

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Makes the request that a plan plans to a target. */
export const readyOf = (plan: Plan, target: Target, scene: Scene): Ready => {
  const method = plan.method === "own" ? target.method : plan.method;
  const parameters = plan.parameters.map(([name, value]) => `${encode(name)}=${encode(value)}`);
  const query = [plan.query === "own" ? target.query(scene) : "", ...parameters, plan.rawQuery];
  const body = /^(?:GET|HEAD)$/.test(method) ? undefined : bodyOf(plan, target.body?.(scene));
  const authorization = bearerOf(plan, target, scene);
  return {
    target,
    method,
    path: `${target.address(scene, plan.id ?? undefined)}?${query.filter((part) => part !== "").join("&")}`,
    headers: {
      ...(authorization === undefined ? {} : { authorization: encodeHeader(authorization) }),
      ...(body === undefined ? {} : { "content-type": plan.type }),
      ...plan.headers,
    },
    ...(body === undefined ? {} : { body }),
  };
};

/** Keeps a header to what a client can send. */
const encodeHeader = (value: string): string => value.replaceAll(/[^\t\u0020-\u00ff]/g, "?");
