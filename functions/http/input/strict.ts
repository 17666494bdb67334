import type { Context } from "hono";
import { METHOD_NAME_ALL } from "hono/router";
import { matchedRoutes } from "hono/route";
import type * as z from "zod";
import { parametersOf } from "./parameters.ts";
import { isObject } from "../../core/objects.ts";
import { declaredBy } from "../declared.ts";

/** Lists the contract's routes, which ignore what they do not know. All other routes refuse it by name. */
export const CONTRACT: ReadonlySet<string> = new Set([
  "POST /api/v1/publishers",
  "GET /api/v1/publishers",
  "GET /api/v1/publishers/me",
  "GET /api/v1/publishers/:id",
  "PUT /api/v1/publishers/:id",
  "DELETE /api/v1/publishers/:id",
  "GET /api/v1/publishers/:id/api-tokens",
  "PATCH /api/v1/publishers/:id/status",
  "PATCH /api/v1/publishers/:id/ads",
  "POST /api/site",
  "GET /api/site",
  "GET /api/site/:id",
  "PUT /api/site/:id",
  "DELETE /api/site/:id",
  "PATCH /api/site/:id/status",
  "PATCH /api/site/:id/ads",
]);

/** Names a part of a request that a validator reads. */
export type Part = "json" | "query";

/** Lists the handlers of the route that answers a request; none where no route does. */
const handlersOf = (c: Context) => {
  const own = matchedRoutes(c).filter(({ method }) => method !== METHOD_NAME_ALL);
  return own.filter(({ method, path }) => method === own[0]?.method && path === own[0].path);
};

/** Tells whether a request's route refuses what it does not know. */
export const isStrict = (c: Context): boolean =>
  handlersOf(c)
    .slice(0, 1)
    .some(({ method, path }) => !CONTRACT.has(`${method} ${path}`));

/** Tells whether a validator of the request's route reads a part of it. */
export const isRead = (c: Context, part: Part): boolean =>
  handlersOf(c).some(({ handler }) => declaredBy(handler)?.part === part);

/**
 * Returns the definition by which a value's parts are checked, without the wrappers that make it optional or transform
 * it.
 */
const partsOf = ({ _zod: { def } }: z.core.$ZodType): z.core.$ZodTypeDef => {
  if ("innerType" in def) return partsOf(def.innerType as z.core.$ZodType);
  return def.type === "pipe" && "in" in def ? partsOf(def.in as z.core.$ZodType) : def;
};

/** Says what is wrong with an unknown name. */
export const NOT_KNOWN = "is not known";

/**
 * Lists the members of a value, at any depth, that its schema does not know, by their paths.
 *
 * @param known more names that are known, at the first level
 */
export const unknownMembers = (
  schema: z.core.$ZodType,
  value: unknown,
  known: readonly string[] = [],
  prefix = "",
): string[] => {
  const def = partsOf(schema) as z.core.$ZodObjectDef | z.core.$ZodArrayDef;
  if (def.type === "array" && Array.isArray(value)) {
    return value.flatMap((item, i) => unknownMembers(def.element, item, [], `${prefix}${i}.`));
  }
  if (def.type !== "object" || !isObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const of = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
    if (of) return unknownMembers(of, part, [], `${prefix}${name}.`);
    return known.includes(name) ? [] : [prefix + name];
  });
};

/** Lists the parameters of a request that are not among the known ones. */
export const unknownParameters = (url: string, known: readonly string[]): string[] =>
  [...parametersOf(url).keys()].filter((name) => name !== "" && !known.includes(name));

/** Lists what is wrong with a body that no route reads, as `field: message` texts; nothing if it is empty. */
export const strayMembers = (text: string): string[] => {
  if (text.trim() === "") return [];
  try {
    const body: unknown = JSON.parse(text);
    if (isObject(body)) return Object.keys(body).map((name) => `${name}: ${NOT_KNOWN}`);
  } catch {
    // A body that is not JSON is no better than one with unknown members.
  }
  return ["body: must be empty"];
};
