import * as z from "zod";
import { closed, formSchema, schemaOf, type Json } from "../json-schema.ts";
import type { Operation } from "../operations/operation.ts";
import { READ_BACK } from "../schemas/common.ts";
import type { Walked } from "../walk.ts";

/** Lets a body have the members of its resource as they were read. */
const withReadOnly = (json: Json, readOnly: readonly string[]): Json => ({
  ...json,
  properties: {
    ...json.properties,
    ...Object.fromEntries(
      readOnly
        .filter((name) => !Object.hasOwn(json.properties ?? {}, name))
        .map((name) => [name, { description: READ_BACK }]),
    ),
  },
});

/**
 * Describes the body of a route by its media types, each with an example; null where it takes none.
 *
 * @param schemas receives the body's schema under its name
 */
export const bodySchemas = (
  route: Walked,
  operation: Operation,
  schemas: Record<string, Json>,
): Record<string, object> | null => {
  const schema = operation.body?.() ?? route.body;
  if (schema === null) return null;
  const types = operation.types ?? ["application/json"];
  const { example } = operation;
  if (example === undefined) throw new Error(`${route.name} takes a body and has no example`);
  if (schema instanceof z.ZodArray) {
    schemas["ImportRow"] = closed(schemaOf(schema).items ?? {});
    const row = { $ref: "#/components/schemas/ImportRow" };
    return {
      "application/json": { schema: { oneOf: [{ type: "array", items: row, maxItems: 1_000 }, row] }, example },
      "application/x-ndjson": { schema: row },
      "text/csv": { schema: { type: "string" } },
    };
  }
  const isForm = types.length > 1 && schema instanceof z.ZodObject;
  const json = withReadOnly(isForm ? formSchema(schema) : schemaOf(schema), route.bodyOptions.readOnly ?? []);
  const name = `${operation.id.charAt(0).toUpperCase()}${operation.id.slice(1)}Body`;
  schemas[name] = route.isStrict ? closed(json) : json;
  return Object.fromEntries(types.map((type) => [type, { schema: { $ref: `#/components/schemas/${name}` }, example }]));
};
