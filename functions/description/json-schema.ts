import * as z from "zod";
import { components } from "./schemas/common.ts";

/** Holds a JSON Schema, as far as the description uses it. */
export type Json = {
  type?: string | string[];
  properties?: Record<string, Json>;
  required?: string[];
  items?: Json;
  anyOf?: Json[];
  oneOf?: Json[];
  allOf?: Json[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  description?: string;
  default?: unknown;
  additionalProperties?: boolean | Json;
  $ref?: string;
} & Record<string, unknown>;

const accepts = (schema: z.core.$ZodType, value: unknown): boolean => z.safeParse(schema, value).success;

/** Finds the last accepted number on the way to `end`, beginning with `start`, which is accepted. */
const lastAccepted = (isAccepted: (value: number) => boolean, start: number, end: number): number => {
  if (isAccepted(end)) return end;
  let [inside, outside] = [start, end];
  while (Math.abs(outside - inside) > 1) {
    const middle = Math.trunc(inside / 2 + outside / 2);
    if (middle === inside || middle === outside) break;
    if (isAccepted(middle)) inside = middle;
    else outside = middle;
  }
  return inside;
};

const MOST = Number.MAX_SAFE_INTEGER;

/** Lists numbers to try, one of which is in any usual range. */
const TRIED = [1, 0, 2, 10, 100, 1_000];

/**
 * Finds by trying which numbers a schema accepts: its own checks decide that, which JSON Schema does not show.
 *
 * @param write writes a number in the form that the schema takes
 * @returns null if it takes no numbers, or texts as well
 */
const rangeOf = (schema: z.core.$ZodType, write: (value: number) => unknown): Json | null => {
  const isAccepted = (value: number) => accepts(schema, write(value));
  const start = TRIED.find(isAccepted);
  if (start === undefined || accepts(schema, "x")) return null;
  const isWhole = !isAccepted(start + 0.5);
  const least = lastAccepted(isAccepted, start, -MOST);
  const most = lastAccepted(isAccepted, start, MOST);
  return {
    type: isWhole ? "integer" : "number",
    ...(least === -MOST ? {} : { minimum: least }),
    ...(most === MOST ? {} : { maximum: most }),
  };
};

/** Adds to a schema what `z.toJSONSchema` cannot see: ranges that its checks hold, formats, and its own description. */
const complete = (schema: z.core.$ZodTypes, json: Json): void => {
  const {
    _zod: { def },
  } = schema;
  const words = z.globalRegistry.get(schema)?.description;
  if (words !== undefined) json.description = words;
  if (def.type === "number" && (def.checks ?? []).some(({ _zod: { def: check } }) => check.check === "custom")) {
    Object.assign(
      json,
      rangeOf(schema, (value) => value),
    );
  }
  const { format } = def as { format?: string };
  if (def.type === "string" && (format === "datetime" || format === "date")) {
    // The format says what a long pattern would.
    delete json.pattern;
    delete json.allOf;
    json.format = format === "date" ? "date" : "date-time";
  }
  if (def.type !== "pipe") return;
  const {
    _zod: { def: behind },
  } = def.out;
  if ("format" in behind) json.format = String(behind.format);
};

const PREFIX = "#/components/schemas/";

const OPTIONS = {
  io: "input",
  unrepresentable: "any",
  metadata: components,
  override: ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: unknown }) =>
    complete(zodSchema, jsonSchema as Json),
} as const;

/** Converts a schema to a JSON Schema of what it accepts. Named ones, within it or itself, become references. */
export const schemaOf = (schema: z.ZodType): Json => {
  const id = components.get(schema)?.id;
  return id === undefined ? converted(schema) : { $ref: `${PREFIX}${id}` };
};

const converted = (schema: z.ZodType): Json => {
  const { $schema: _, $defs: __, ...json } = z.toJSONSchema(schema, OPTIONS) as Json;
  return tidy(json);
};

/** Converts every named schema. */
export const componentSchemas = (): Record<string, Json> => {
  const { schemas } = z.toJSONSchema(components, { ...OPTIONS, uri: (id) => `${PREFIX}${id}` });
  const named = Object.entries(schemas).map(([name, json]): [string, Json] => {
    const { $schema: _, $id: __, ...rest } = json as Json;
    return [name, tidy(rest)];
  });
  return Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

const isNull = (json: Json): boolean => json.type === "null";

/** Shortens a schema: null becomes one of its types, and integers lose the limits of JavaScript. */
const tidy = (json: Json): Json => {
  const { id: _, anyOf, minimum, maximum, $ref, ...rest } = json;
  const out: Json = {
    ...rest,
    ...($ref === undefined ? {} : { $ref: $ref.replace("#/$defs/", PREFIX) }),
    ...(minimum === undefined || minimum <= -MOST ? {} : { minimum }),
    ...(maximum === undefined || maximum >= MOST ? {} : { maximum }),
  };
  if (out.properties) {
    out.properties = Object.fromEntries(Object.entries(out.properties).map(([name, part]) => [name, tidy(part)]));
  }
  if (out.items) out.items = tidy(out.items);
  if (typeof out.additionalProperties === "object") out.additionalProperties = tidy(out.additionalProperties);
  if (!anyOf) return out;
  const parts = anyOf.map(tidy);
  const [only, ...more] = parts.filter((part) => !isNull(part));
  if (only && more.length === 0 && typeof only.type === "string") {
    return {
      ...only,
      ...out,
      type: [only.type, "null"],
      ...(only.enum ? { enum: [...only.enum, null] } : {}),
    };
  }
  return { ...out, anyOf: parts };
};

/** Describes a parameter: a number or a flag by its value, not as a text. */
export const parameterSchema = (schema: z.ZodType): Json => {
  const {
    _zod: { def },
  } = schema;
  const { default: told, ...json } = schemaOf(schema);
  // The default of a number is given as a number, not as the text that stands for it.
  const usual = "defaultValue" in def ? def.defaultValue : told;
  if (json.enum?.includes("true")) return { type: "boolean" };
  const range = json.type === "string" && !json.enum ? rangeOf(schema, String) : null;
  return { ...(range ?? json), ...(usual === undefined ? {} : { default: usual }) };
};

/** Describes a body whose members may all be texts, as in a form. */
export const formSchema = (schema: z.ZodObject): Json => {
  const json = schemaOf(schema);
  const properties = Object.entries(schema.shape).map(([name, part]) => [name, parameterSchema(part as z.ZodType)]);
  return { ...json, properties: Object.fromEntries(properties) as Record<string, Json> };
};

/** Forbids everything that a schema does not name, at any depth. */
export const closed = (json: Json): Json => {
  const parts = (list: Json[] | undefined) => list?.map(closed);
  const [anyOf, oneOf] = [parts(json.anyOf), parts(json.oneOf)];
  return {
    ...json,
    ...(anyOf ? { anyOf } : {}),
    ...(oneOf ? { oneOf } : {}),
    ...(json.items ? { items: closed(json.items) } : {}),
    ...(json.properties
      ? {
          properties: Object.fromEntries(Object.entries(json.properties).map(([name, part]) => [name, closed(part)])),
          additionalProperties: false,
        }
      : {}),
  };
};

/** Allows members that a schema does not name, at any depth: those who read an answer must expect new ones. */
export const opened = (json: Json): Json => {
  const { additionalProperties, ...rest } = json;
  const parts = (list: Json[] | undefined) => list?.map(opened);
  const [anyOf, oneOf] = [parts(json.anyOf), parts(json.oneOf)];
  return {
    ...rest,
    ...(anyOf ? { anyOf } : {}),
    ...(oneOf ? { oneOf } : {}),
    ...(json.items ? { items: opened(json.items) } : {}),
    ...(json.properties
      ? { properties: Object.fromEntries(Object.entries(json.properties).map(([name, part]) => [name, opened(part)])) }
      : {}),
    ...(typeof additionalProperties === "object" ? { additionalProperties } : {}),
  };
};
