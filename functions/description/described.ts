import app from "../app.ts";
import type { ErrorName } from "./answers/errors.ts";
import { operationOf, OPERATIONS, PAGES_AND_FILES } from "./operations/all.ts";
import type { Operation } from "./operations/operation.ts";
import { refusalsOf } from "./answers/refusals.ts";
import { walk, type Walked } from "./walk.ts";

/** Holds a route with its operation, its errors, and whether its answers name a version of what they show. */
export type Described = { route: Walked; operation: Operation; errors: readonly ErrorName[]; isTagged: boolean };

/**
 * Tells whether a route answers with one resource that has a version: it reads, changes or creates one, and such
 * resources can be changed. What is deleted no longer has a version.
 */
const isTagged = ({ method, path }: Walked, routes: readonly Walked[]): boolean =>
  method !== "DELETE" &&
  routes.some(
    (other) =>
      other.takesTag &&
      (method === "POST" ? other.path.replace(/\/:\w+$/, "") === path && other.path !== path : other.path === path),
  );

const withDescription = (route: Walked, _: number, routes: readonly Walked[]): Described => {
  const operation = operationOf(route.name);
  if (!operation) throw new Error(`functions/description/operations/ has nothing of ${route.name}`);
  if (route.access === null && operation.access === undefined) {
    throw new Error(`nothing says who may call ${route.name}; put allow(…) in front of its handler`);
  }
  return { route, operation, errors: refusalsOf(route, operation), isTagged: isTagged(route, routes) };
};

/**
 * Lists the operations of the app, in the order of their groups.
 *
 * @throws {Error} if a route is neither described nor a page, or a description has no route
 */
export const describedRoutes = (): Described[] => {
  const routes = walk(app).filter(({ name }) => !PAGES_AND_FILES.includes(name));
  const names = Object.keys(OPERATIONS);
  const lost = names.find((name) => !routes.some((route) => route.name === name));
  if (lost !== undefined) {
    throw new Error(`functions/description/operations/ describes ${lost}, which no route answers`);
  }
  return routes.map(withDescription).toSorted((a, b) => names.indexOf(a.route.name) - names.indexOf(b.route.name));
};

/** Returns a path as OpenAPI writes it: `/api/site/{id}`. */
export const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");
