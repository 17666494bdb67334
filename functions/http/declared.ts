import type * as z from "zod";

/**
 * Names a member with its own error code for values that are not allowed, what it must be, and optionally how to say
 * that.
 */
export type EnumeratedField = { field: string; expectedType: string; inWords?: string };

/**
 * Says more about a body. `enumerated` is a member whose disallowed values answer INVALID_FIELD_VALUE instead of
 * VALIDATION_FAILED; `readOnly` are members of the resource that may be sent back as they were read, and are ignored.
 */
export type BodyOptions = { enumerated?: EnumeratedField; readOnly?: readonly string[] };

/** Holds what a middleware declares about its route: a part of requests that it reads, and how, or whom it admits. */
export type Declared = {
  part: "json" | "query" | "access";
  schema?: (() => z.ZodType) | undefined;
  options?: BodyOptions | undefined;
  access?: string;
};

const DECLARED = new WeakMap<object, Declared>();

/** Notes what a middleware declares about the routes that use it, and returns the middleware. */
export const declaring = <Middleware extends object>(declared: Declared, middleware: Middleware): Middleware => {
  DECLARED.set(middleware, declared);
  return middleware;
};

/** Returns what a middleware or handler declares; undefined if nothing. */
export const declaredBy = (handler: object): Declared | undefined => DECLARED.get(handler);
