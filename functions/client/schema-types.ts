import type { Json } from "../description/json-schema.ts";

const PREFIX = "#/components/schemas/";

// A docstring of this file would be taken for one that it writes.
const OPEN = ["/", "**"].join("");

/** Writes lines as a docstring, indented; nothing where there are none. */
export const docstring = (lines: readonly string[], indent = ""): string => {
  const said = lines.filter((line) => line !== "").map((line) => line.replaceAll("*/", "*\\/"));
  if (said.length === 0) return "";
  if (said.length === 1) return `${indent}${OPEN} ${said[0]} */\n`;
  return `${indent}${OPEN}\n${said.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
};

/** Returns the name of the schema in a reference. */
export const nameOf = (ref: string): string => ref.slice(PREFIX.length);

const literal = (value: unknown): string => JSON.stringify(value);
const isIdentifier = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name);
const either = (types: readonly string[]): string => [...new Set(types)].join(" | ");

const SIMPLE: Record<string, string> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};

/** Lists the lines of a member's docstring: its description, and its default. */
const wordsOf = (json: Json): string[] => [
  json.description ?? "",
  ...(json.default === undefined ? [] : [`@default ${literal(json.default)}`]),
];

/** Describes a member: its schema, and whether it is required. */
export type Member = { name: string; json: Json; isRequired: boolean };

/**
 * Writes the type of an object.
 *
 * @param isGiven tells that callers pass it, who may use `undefined` for what they leave out
 */
export const objectType = (members: readonly Member[], isGiven: boolean, indent: string): string => {
  const inner = `${indent}  `;
  const lines = members.map(({ name, json, isRequired }) => {
    const key = isIdentifier(name) ? name : literal(name);
    const type = typeOf(json, isGiven, inner);
    const optional = isRequired ? `: ${type}` : `?: ${type}${isGiven ? " | undefined" : ""}`;
    return `${docstring(wordsOf(json), inner)}${inner}${key}${optional};\n`;
  });
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`;
};

const objectOf = (json: Json, isGiven: boolean, indent: string): string => {
  const { properties, required = [], additionalProperties } = json;
  if (!properties) {
    const value = typeof additionalProperties === "object" ? typeOf(additionalProperties, isGiven, indent) : "unknown";
    return `Record<string, ${value}>`;
  }
  const members = Object.entries(properties).map(([name, part]) => ({
    name,
    json: part,
    isRequired: required.includes(name),
  }));
  return objectType(members, isGiven, indent);
};

const listOf = ({ items = {} }: Json, isGiven: boolean, indent: string): string => {
  const item = typeOf(items, isGiven, indent);
  const isUnion = items.anyOf ?? items.oneOf ?? items.enum ?? Array.isArray(items.type);
  return isUnion ? `(${item})[]` : `${item}[]`;
};

/** Writes the type of what a schema accepts. It throws for a schema that it cannot write. */
export const typeOf = (json: Json, isGiven: boolean, indent = ""): string => {
  if (json.$ref !== undefined) return nameOf(json.$ref);
  const parts = json.anyOf ?? json.oneOf;
  if (parts) return either(parts.map((part) => typeOf(part, isGiven, indent)));
  if ("const" in json) return literal(json.const);
  if (json.enum) return either(json.enum.map(literal));
  const types = [json.type ?? []].flat();
  if (json.allOf || (types.length === 0 && (json.properties || json.items))) {
    throw new Error(`the client's generator does not know how to write ${literal(json)}`);
  }
  if (types.length === 0) return "unknown";
  return either(
    types.map((type) => {
      if (type === "object") return objectOf(json, isGiven, indent);
      if (type === "array") return listOf(json, isGiven, indent);
      const simple = SIMPLE[type];
      if (simple === undefined) throw new Error(`the client's generator does not know the type ${type}`);
      return simple;
    }),
  );
};

/** Lists the names of the schemas that a schema refers to, at any depth. */
export const referred = (json: unknown, schemas: Readonly<Record<string, Json>>, found = new Set<string>()) => {
  if (typeof json !== "object" || json === null) return found;
  for (const [key, value] of Object.entries(json)) {
    if (key !== "$ref" || typeof value !== "string") {
      referred(value, schemas, found);
      continue;
    }
    const name = nameOf(value);
    if (found.has(name)) continue;
    found.add(name);
    referred(schemas[name], schemas, found);
  }
  return found;
};
