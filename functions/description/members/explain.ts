import type { Json } from "../json-schema.ts";
import { MEMBERS } from "./members.ts";
import { OWN_MEMBERS } from "./own-members.ts";
import { PARAMETERS } from "./parameters.ts";

/** Takes off a name what tells one form of a resource from another. */
const resourceOf = (component: string): string =>
  component
    .replace(/^(?:New|Changed|Exported|Create|Update|Issue|Forecast|Reversed)(?=[A-Z])/, "")
    .replace(/(?:Body|WithSecret)$/, "");

const textOf = (component: string, parent: string | null, member: string): string | undefined => {
  const places = parent === null ? [component, resourceOf(component)] : [parent];
  const own = places.map((place) => OWN_MEMBERS[`${place}.${member}`]).find((text) => text !== undefined);
  // The body of explain has the parameters of a request for offers.
  return own ?? MEMBERS[member] ?? PARAMETERS[`getOffers.${member}`] ?? PARAMETERS[member];
};

/** Writes into a schema what its members are, at any depth, and collects those of which nothing is said. */
const explain = (component: string, json: Json, parent: string | null, missing: string[]): void => {
  for (const [name, part] of Object.entries(json.properties ?? {})) {
    const text = part.description ?? textOf(component, parent, name);
    if (text === undefined) missing.push(`${component}.${parent === null ? "" : `${parent}.`}${name}`);
    else part.description = text;
    explain(component, part, name, missing);
  }
  const below = [json.items, ...(json.anyOf ?? []), ...(json.oneOf ?? [])];
  for (const part of below) if (part) explain(component, part, parent, missing);
};

type Media = Record<string, { schema?: Json }>;

/** Holds what of a description has members. */
type Document = {
  paths: Record<string, Record<string, { responses?: Record<string, { content?: Media }> }>>;
  components: { schemas: Record<string, Json> };
};

/** Names what a success has beside its data. */
const ENVELOPE = "Success";

/**
 * Says of every member of every schema what it is.
 *
 * @throws {Error} that names those of which nothing is said
 */
export const explainMembers = ({ paths, components }: Document): void => {
  const missing: string[] = [];
  for (const [name, json] of Object.entries(components.schemas)) explain(name, json, null, missing);
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const { content } of operations.flatMap(({ responses = {} }) => Object.values(responses))) {
    for (const { schema } of Object.values(content ?? {})) if (schema) explain(ENVELOPE, schema, null, missing);
  }
  if (missing.length === 0) return;
  throw new Error(`functions/description/members/ says nothing of ${[...new Set(missing)].join(", ")}`);
};

/**
 * Says what a parameter is.
 *
 * @throws {Error} where nothing is said of it
 */
export const explainParameter = (operation: string, name: string): string => {
  const text = PARAMETERS[`${operation}.${name}`] ?? PARAMETERS[name];
  if (text !== undefined) return text;
  throw new Error(`functions/description/members/parameters.ts says nothing of ${operation}.${name}`);
};
