import type { Json } from "../description/json-schema.ts";
import type { Description, Routed } from "./description.ts";
import { nameOf, typeOf } from "./schema-types.ts";

/** Describes an error: its code, and what its details hold. */
type Told = { code: string; details: string[] };

const constOf = (json: Json | undefined): string | null => (typeof json?.const === "string" ? json.const : null);

/** Reads the schema of an error, in either shape; null for any other schema. */
const errorOf = (schema: Json): Told | null => {
  const wrapped = schema.properties?.["error"];
  const { properties = {}, required = [] } = wrapped?.properties ? wrapped : schema;
  const code = constOf(properties["code"]);
  if (code === null) return null;
  const isThere = required.includes("details");
  return {
    code,
    details: [...(properties["details"] ? [typeOf(properties["details"], false)] : []), ...(isThere ? [] : ["null"])],
  };
};

/** Lists the codes that an operation may answer, besides those that any may. */
export const codesOf = ({ responses }: Routed, { components }: Description): string[] => {
  const refused = Object.entries(responses).filter(([status]) => /^4(?!01|13|15|29)/.test(status));
  const schemas = refused.flatMap(([, { $ref, content }]) => {
    const own = content ?? components.responses[$ref?.split("/").at(-1) ?? ""]?.content ?? {};
    const schema = own["application/json"]?.schema;
    return schema?.anyOf ?? (schema ? [schema] : []);
  });
  const codes = schemas.map((schema) =>
    errorOf(schema.$ref ? (components.schemas[nameOf(schema.$ref)] ?? {}) : schema),
  );
  return [...new Set(codes.flatMap((error) => error?.code ?? []))];
};

/** Writes the module that names the codes of errors and the types of their details. */
export const errorsModule = ({ components }: Description): string => {
  const byCode = new Map<string, Set<string>>();
  for (const schema of Object.values(components.schemas)) {
    const error = errorOf(schema);
    if (error) byCode.set(error.code, new Set([...(byCode.get(error.code) ?? []), ...error.details]));
  }
  const codes = [...byCode].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const members = codes.map(([code, details]) => `  ${code}: ${[...details].join(" | ")};\n`);
  return `/** Tells what \`details\` of an error hold, by its code. */
export type ErrorDetails = {\n${members.join("")}};

/** Names why the service refused a call. */
export type ServiceCode = keyof ErrorDetails;\n`;
};
