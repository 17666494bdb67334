import type * as z from "zod";

/** Names a member whose disallowed value has an error code of its own, what it must be, and that in words of its own. */
export type EnumeratedField = { field: string; expectedType: string; inWords?: string };

/**
 * Says more about a body: `enumerated`, a member whose disallowed value answers INVALID_FIELD_VALUE instead of
 * VALIDATION_FAILED; `readOnly`, members of the resource that may come as they were read, and are ignored.
 */
export type BodyOptions = { enumerated?: EnumeratedField; readOnly?: readonly string[] };

/** Tells what a middleware declares of its route: a part of requests that it reads, and how, or whom it admits. */
export type Declared = {
  part: "json" | "query" | "access";
  schema?: (() => z.ZodType) | undefined;
  options?: BodyOptions | undefined;
  access?: string;
};

const DECLARED = new WeakMap<object, Declared>();

/** Notes what a middleware declares of the routes that have it, and returns it. */
export const declaring = <Middleware extends object>(declared: Declared, middleware: Middleware): Middleware => {
  DECLARED.set(middleware, declared);
  return middleware;
};

/** Tells what a middleware or handler declares, undefined where it declares nothing. */
export const declaredBy = (handler: object): Declared | undefined => DECLARED.get(handler);
