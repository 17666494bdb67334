import fc from "fast-check";
import { BEARERS, HEADERS, IDS, NAMES, RAW_QUERIES, TEXT_BODIES, TEXTS, TYPES, VALUES } from "./hostile.ts";

/** Says how to spoil a body: what to do with which of its members, counted across all levels. */
export type Spoil = { at: number; how: "set" | "drop" | "add" | "wrap"; name: string; value: unknown };

/** Plans a request to a route. It names nothing from a world, so that the same seed always makes the same plans. */
export type Plan = {
  method: "own" | "HEAD" | "OPTIONS" | "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  caller: "own" | "publisher" | "platform" | "admin" | "public" | "none" | "garbage";
  garbage: string;
  /** Replaces the path's last id. */
  id: string | null;
  /** Chooses among the requests that the description gives. */
  choice: number;
  query: "own" | "beside" | "none";
  parameters: [name: string, value: string][];
  rawQuery: string;
  body: "own" | "beside" | "spoilt" | "twice" | "cut" | "text" | "none";
  spoils: Spoil[];
  text: string;
  type: string;
  headers: Record<string, string>;
};

const anyText = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: "binary", maxLength: 40 }), fc.string());
const anyValue = fc.oneof(
  fc.constantFrom(...VALUES),
  anyText,
  fc.double(),
  fc.integer(),
  fc.jsonValue({ maxDepth: 3 }),
);
const anyName = fc.oneof(fc.constantFrom(...NAMES), anyText);

const spoil: fc.Arbitrary<Spoil> = fc.record({
  at: fc.nat(200),
  how: fc.constantFrom("set", "set", "set", "drop", "add", "wrap"),
  name: anyName,
  value: anyValue,
});

/** Chooses one of several values by their weights. */
const weighted = <Value>(...choices: [weight: number, value: Value][]): fc.Arbitrary<Value> =>
  fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));

/** Makes plans of requests, of which about a third are valid. */
export const plan: fc.Arbitrary<Plan> = fc.record({
  method: fc.oneof(
    { weight: 14, arbitrary: fc.constant("own" as const) },
    { weight: 1, arbitrary: fc.constantFrom("HEAD", "OPTIONS", "GET", "POST", "PUT", "PATCH", "DELETE") },
  ),
  caller: fc.oneof(
    { weight: 8, arbitrary: fc.constant("own" as const) },
    { weight: 1, arbitrary: fc.constantFrom("publisher", "platform", "admin", "public", "none", "garbage") },
  ),
  garbage: fc.constantFrom(...BEARERS),
  id: fc.oneof(
    { weight: 9, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom(...IDS) },
    { weight: 1, arbitrary: anyText.map((text) => encodeURIComponent(text.toWellFormed()) || "x") },
  ),
  choice: fc.nat(),
  query: weighted([8, "own"], [1, "beside"], [1, "none"]),
  parameters: fc.oneof(
    { weight: 3, arbitrary: fc.constant<[string, string][]>([]) },
    { weight: 2, arbitrary: fc.array(fc.tuple(anyName, anyText), { minLength: 1, maxLength: 4 }) },
  ),
  rawQuery: fc.oneof(
    { weight: 9, arbitrary: fc.constant("") },
    { weight: 1, arbitrary: fc.constantFrom(...RAW_QUERIES) },
  ),
  body: weighted([7, "own"], [4, "beside"], [5, "spoilt"], [1, "twice"], [1, "cut"], [2, "text"], [1, "none"]),
  spoils: fc.array(spoil, { minLength: 1, maxLength: 3 }),
  text: fc.oneof(fc.constantFrom(...TEXT_BODIES), anyText, fc.json({ maxDepth: 3 })),
  type: fc.oneof(
    { weight: 15, arbitrary: fc.constant("application/json") },
    { weight: 1, arbitrary: fc.constantFrom(...TYPES) },
  ),
  headers: fc.oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constantFrom(...HEADERS).map(([name, value]) => ({ [name]: value })) },
  ),
});
