import { METHOD_NAME_ALL } from "hono/router";
import * as z from "zod";
import type app from "../app.ts";
import { ACCESS, reachPublisher, type Access } from "../http/credentials/auth.ts";
import { declaredBy, type BodyOptions, type Declared } from "../http/declared.ts";
import { CONTRACT } from "../http/input/strict.ts";
import { limit } from "../http/input/validate.ts";
import { idempotent, idempotentOnce } from "../http/writes/idempotent.ts";
import { ifMatch } from "../http/writes/tags.ts";
import { admitAdvertiser } from "../routes/tracking/conversion/credential.ts";

/** Holds what a route's own parts declare. */
export type Walked = {
  /** Holds its method and path, as they are routed: `GET /api/site/:id`. */
  name: string;
  method: string;
  path: string;
  /** Names the parameters of its path. */
  ids: string[];
  access: Access | "advertiser" | null;
  query: z.ZodObject | null;
  body: z.ZodType | null;
  bodyOptions: BodyOptions;
  /** Tells that it reads a body; forms other than JSON have no schema here. */
  readsBody: boolean;
  /** Tells that it looks up the publisher of its path. */
  reachesPublisher: boolean;
  /** Tells that it changes only a version that the caller names. */
  takesTag: boolean;
  /** Tells whether it happens once under an idempotency key, and if so, whether its answer is given again. */
  takesKey: "answered again" | "shown once" | null;
  /** Tells that it refuses what it does not know. */
  isStrict: boolean;
};

const isAccess = (name: string | undefined): name is Access => name !== undefined && Object.hasOwn(ACCESS, name);

const accessOf = (handlers: readonly object[], declared: readonly Declared[]): Walked["access"] => {
  const named = declared.find(({ part }) => part === "access")?.access;
  if (isAccess(named)) return named;
  return handlers.includes(admitAdvertiser) ? "advertiser" : null;
};

/** Joins the parameters that several parts of a route read. */
const merged = (queries: readonly z.ZodType[]): z.ZodObject =>
  z.object(Object.assign({}, ...queries.map((query) => (query instanceof z.ZodObject ? query.shape : {}))));

/**
 * Lists the routes of an app, each with what its middleware declares. Middleware for all methods counts for all paths
 * below its own.
 */
export const walk = ({ routes }: Pick<typeof app, "routes">): Walked[] => {
  const shared = routes.filter(({ method }) => method === METHOD_NAME_ALL);
  const own = routes.filter(({ method }) => method !== METHOD_NAME_ALL && method !== "OPTIONS");
  const names = new Set(own.map(({ method, path }) => `${method} ${path}`));
  return [...names].map((routed): Walked => {
    const [method = "", pattern = ""] = routed.split(" ");
    const path = pattern.replace(/(?<=.)\/$/, "");
    const above = shared.filter((route) => route.path.endsWith("/*") && `${path}/`.startsWith(route.path.slice(0, -1)));
    const handlers: object[] = [...above, ...own.filter((route) => `${route.method} ${route.path}` === routed)].map(
      ({ handler }) => handler,
    );
    const declared = handlers.flatMap((handler) => declaredBy(handler) ?? []);
    const json = declared.find(({ part }) => part === "json");
    const queries = declared.flatMap(({ part, schema }) => (part === "query" ? (schema?.() ?? []) : []));
    return {
      name: `${method} ${path}`,
      method,
      path,
      ids: [...path.matchAll(/:(\w+)/g)].map(([, id = ""]) => id),
      access: accessOf(handlers, declared),
      query: queries.length > 0 ? merged(queries) : null,
      body: json?.schema?.() ?? null,
      bodyOptions: json?.options ?? {},
      readsBody: json !== undefined || handlers.includes(limit),
      reachesPublisher: handlers.includes(reachPublisher),
      takesTag: handlers.includes(ifMatch),
      takesKey: handlers.includes(idempotent)
        ? "answered again"
        : handlers.includes(idempotentOnce)
          ? "shown once"
          : null,
      isStrict: !CONTRACT.has(`${method} ${path}`),
    };
  });
};
