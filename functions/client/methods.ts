import type { Json } from "../description/json-schema.ts";
import { callOf } from "./calls.ts";
import { successesOf, type Description, type Parameter, type Routed, type Success } from "./description.ts";
import { codesOf } from "./errors.ts";
import { docstring, objectType, referred, typeOf, type Member } from "./schema-types.ts";

const CSV = "text/csv";

/** Maps headers of requests to the options that hold them. */
const HEADERS: Record<string, string> = { "If-Match": "ifMatch", "Idempotency-Key": "idempotencyKey" };

/** Lists the names that options of every call have. */
const OPTIONS = new Set(["signal", "timeoutMs", "retries", "token", "headers", "accept", "contentType"]);

/** Returns the name of the type of an operation's parameters. */
const parametersName = ({ operationId }: Routed): string =>
  `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Parameters`;

const memberOf = ({ name, in: place, required, description, schema }: Parameter): Member => {
  const option = place === "header" ? HEADERS[name] : name;
  if (option === undefined) throw new Error(`the client does not know the header ${name}`);
  if (OPTIONS.has(option)) throw new Error(`the parameter ${name} has the name of an option of the client`);
  const isTag = option === "ifMatch";
  return {
    name: option,
    json: { ...schema, ...(isTag ? { type: ["string", "null"] } : {}), description },
    isRequired: required,
  };
};

/**
 * Puts parameters with a dot in their name into an object named by what comes before the dot: `at.email` is `email` in
 * `at`.
 */
const nested = (members: readonly Member[]): Member[] => {
  const groups = Object.groupBy(members, ({ name }) => name.split(".")[0] ?? name);
  return Object.entries(groups).flatMap(([name, group = []]) => {
    if (group.every((member) => member.name === name)) return group;
    const properties = Object.fromEntries(group.map((member) => [member.name.slice(name.length + 1), member.json]));
    return { name, json: { type: "object", properties }, isRequired: group.some(({ isRequired }) => isRequired) };
  });
};

const optionsOf = ({ parameters = [] }: Routed): Member[] =>
  nested(parameters.filter((parameter) => parameter.in !== "path").map(memberOf));

/** Writes the type of an operation's parameters; nothing where it has none. */
const parametersType = (operation: Routed): string => {
  const members = optionsOf(operation);
  if (members.length === 0) return "";
  const words = docstring([`Holds what \`${operation.operationId}\` is asked with.`]);
  return `${words}export type ${parametersName(operation)} = ${objectType(members, true, "")} & CallOptions;\n\n`;
};

/**
 * Writes the bodies of a success in the form that the client returns: without `success`, and as `data` if they are not
 * wrapped.
 */
const bodyTypes = ({ type, schema }: Success): string[] => {
  if (schema.anyOf) return schema.anyOf.flatMap((part) => bodyTypes({ type, schema: part }));
  const { properties, required = [] } = schema;
  if (!properties?.["success"])
    return [`{ data: ${typeOf(schema, false, "  ")}${type.includes("ndjson") ? "[]" : ""} }`];
  const members = Object.entries(properties).filter(([name]) => name !== "success");
  const written = members.map(
    ([name, json]) => `${name}${required.includes(name) ? "" : "?"}: ${typeOf(json, false, "  ")}`,
  );
  return [`{ ${written.join("; ")} }`];
};

const bodiesOf = (operation: Routed, isCsv: boolean): string => {
  const successes = successesOf(operation).filter(({ type }) => (type === CSV) === isCsv);
  return [...new Set(successes.flatMap(bodyTypes))].join(" | ");
};

const partsOf = (schema: Json): Json[] => schema.anyOf ?? [schema];

/** Returns the type of a list's items; null if an operation does not answer with a page of a list. */
const itemOf = (operation: Routed): string | null => {
  const parts = successesOf(operation).flatMap(({ schema }) => partsOf(schema));
  const list = parts.find(({ properties }) => properties?.["pagination"])?.properties?.["data"];
  return list?.items ? typeOf(list.items, false, "  ") : null;
};

/** Tells whether an operation answers with a page of a list. */
export const isList = (operation: Routed): boolean => itemOf(operation) !== null;

const resultType = (operation: Routed): string => {
  const item = itemOf(operation);
  const bodies = bodiesOf(operation, false);
  return item === null ? `Promise<Answer<${bodies}>>` : `List<${item}, ${bodies}>`;
};

const callersOf = ({ security }: Routed, { components }: Description): string => {
  const kinds = security
    .flatMap((one) => Object.keys(one))
    .filter((name) => components.securitySchemes[name]?.type === "http");
  const words = kinds.map((kind) => kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
  return words.length === 0 ? "Takes no credential." : `Takes as its credential: ${words.join(", ")}.`;
};

const exampleOf = (operation: Routed): string[] => [
  "@example",
  "```ts",
  ...`await ${callOf(operation)};`.split("\n"),
  "```",
];

/** Lists the names of a path's ids, in their order. */
const idsOf = ({ path }: Routed): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

/** Lists the arguments of a method: ids, the body, and the rest by name. */
const argumentsOf = (operation: Routed, body: string | null, more: string): string => {
  const members = optionsOf(operation);
  const type = members.length === 0 ? "CallOptions" : parametersName(operation);
  const isOptional = more === "" && !members.some(({ isRequired }) => isRequired);
  const name = members.length === 0 ? "options" : "parameters";
  return [
    ...idsOf(operation).map((id) => `${id}: string`),
    ...(body === null ? [] : [`body: ${body}`]),
    `${name}${isOptional ? "?" : ""}: ${type}${more}`,
  ].join(", ");
};

/** Writes a method with its docstring, and an overload for text in place of JSON. */
const methodType = (operation: Routed, description: Description): string => {
  const { operationId, summary, requestBody, description: more = "" } = operation;
  const codes = codesOf(operation, description);
  const thrown = codes.length === 0 ? "" : `@throws {LanyapError} ${codes.map((code) => `\`${code}\``).join(", ")}`;
  const words = docstring(
    [`${summary}.`, more, callersOf(operation, description), thrown, ...exampleOf(operation)],
    "  ",
  );
  const content = requestBody?.content ?? {};
  const json = content["application/json"]?.schema;
  const body = json ? typeOf(json, true, "  ") : null;
  const forms = [`${argumentsOf(operation, body, "")}): ${resultType(operation)}`];
  const texts = Object.keys(content).filter((type) => /^text\/csv$|ndjson$/.test(type));
  if (texts.length > 0) {
    const types = texts.map((type) => JSON.stringify(type)).join(" | ");
    forms.push(`${argumentsOf(operation, "string", ` & { contentType: ${types} }`)}): ${resultType(operation)}`);
  }
  if (bodiesOf(operation, true) !== "") {
    const csv = argumentsOf(operation, body, ` & { accept: ${JSON.stringify(CSV)} }`);
    forms.unshift(`${csv}): Promise<Answer<${bodiesOf(operation, true)}>>`);
  }
  return forms.map((form) => `${words}  ${operationId}(${form};\n`).join("");
};

/** Writes the types of the package: every schema that its methods use, their parameters, and the methods. */
export const typesModule = (operations: readonly Routed[], description: Description): string => {
  const { schemas } = description.components;
  const bodies = operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
  const given = referred(bodies, schemas);
  const used = referred(
    operations.map((operation) => [operation.parameters, successesOf(operation), bodies]),
    schemas,
  );
  const named = Object.entries(schemas)
    .filter(([name]) => used.has(name))
    .map(([name, schema]) => {
      const words = docstring([schema.description ?? ""]);
      return `${words}export type ${name} = ${typeOf(schema, given.has(name))};\n\n`;
    });
  return [
    'import type { List } from "./list.ts";\nimport type { Answer, CallOptions } from "./options.ts";\n\n',
    ...named,
    ...operations.map(parametersType),
    docstring(["Holds a method for each operation of the API, by its name."]),
    "export type Lanyap = {\n",
    operations.map((operation) => methodType(operation, description)).join("\n"),
    "};\n",
  ].join("");
};
