import type { Json } from "../json-schema.ts";
import { MEMBERS } from "./members.ts";
import { OWN_MEMBERS } from "./own-members.ts";
import { PARAMETERS } from "./parameters.ts";

/** Removes from a name what distinguishes the forms of a resource. */
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

/** Writes the descriptions of members into a schema, at any depth, and collects members without one. */
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

/** Holds the parts of a description that have members. */
type Document = {
  paths: Record<string, Record<string, { responses?: Record<string, { content?: Media }> }>>;
  components: { schemas: Record<string, Json> };
};

/** Names the component for what a success has beside its data. */
const ENVELOPE = "Success";

/**
 * Describes every member of every schema.
 *
 * @throws {Error} that names members without a description
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
 * Returns the description of a parameter.
 *
 * @throws {Error} if there is none
 */
export const explainParameter = (operation: string, name: string): string => {
  const text = PARAMETERS[`${operation}.${name}`] ?? PARAMETERS[name];
  if (text !== undefined) return text;
  throw new Error(`functions/description/members/parameters.ts says nothing of ${operation}.${name}`);
};
