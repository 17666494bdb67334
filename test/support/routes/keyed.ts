import { newId } from "../../../db/core/ids.ts";
import { api, type Answer } from "../api.ts";
import type { Harness } from "../harness.ts";
import { addressOf, ROUTES, tokenOf, type Route, type World } from "./every-route.ts";

/** Lists the POST routes, except the one that tries messages again, which has tests of its own. */
export const POSTS = ROUTES.filter(({ route }) => route.startsWith("POST") && !route.endsWith("replay"));

/** Tells whether a POST route only asks a question and changes nothing. */
export const isUnchanging = ({ route }: Route) => /explain|forecast/.test(route);

/** Finds a route by its name. */
export const routeOf = (name: Route["route"]) => ROUTES.find(({ route }) => route === name) as Route;

/** Returns the header that has a key. */
export const keyed = (key: string) => ({ "idempotency-key": key });

/** Makes a body with a name that nothing else has. */
export const named = () => ({ name: newId("event") });

/** Makes a function that posts the same request under a key at each call. */
export const poster = (h: Harness, route: Route, world: World, key?: string, body: unknown = route.body?.(world)) => {
  const { method, path } = addressOf(route, world);
  const headers = key === undefined ? {} : keyed(key);
  return () => api(h, method, path, { token: tokenOf(route, world), body, headers });
};

/** Reads what is kept for a key. */
export const keysOf = (h: Harness, key: string) =>
  h.rows("select principal, answer::text from idempotency_keys where key = $1", [key]);

/** Returns whether an answer says that it was given before. */
export const replayed = (answer: Answer) => answer.headers.get("idempotent-replayed");
