import type { Json } from "../../../functions/description/json-schema.ts";

/** Draws a whole number from 0 up to and without a limit. */
export type Draw = (limit: number) => number;

/** Makes draws that are the same for the same seed (mulberry32). */
export const drawsOf = (seed: number): Draw => {
  let state = seed | 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
};

/** Holds values by the names of members that only some texts suit, such as ids of a world. */
export type Suited = Readonly<Record<string, unknown>>;

type Schemas = Readonly<Record<string, Json>>;

const WORDS = ["Fern and Fir", "a", "Ünïcödé 漢字 💐", "line\nbreak", "x".repeat(40), "<b>bold</b>"];

const textOf = (json: Json, draw: Draw): string => {
  if (json.format === "date-time") return `20${20 + draw(10)}-0${1 + draw(9)}-1${draw(10)}T00:00:00.000Z`;
  if (json.format === "email") return `customer-${draw(100)}@test.example`;
  const { minLength = 0, maxLength = 255 } = json as { minLength?: number; maxLength?: number };
  const word = (WORDS[draw(WORDS.length)] ?? "a").padEnd(minLength, "x");
  return word.slice(0, maxLength);
};

const numberOf = ({ type, minimum = 0, maximum = 1_000_000 }: Json, draw: Draw): number => {
  const whole = [minimum, maximum, minimum + draw(Math.min(1_000, maximum - minimum) + 1)][draw(3)] ?? minimum;
  return type === "number" && whole < maximum ? whole + draw(100) / 100 : whole;
};

/** Makes a value that a schema of the description accepts, as far as the schema tells. Of optional members about half come. */
export const sampleOf = (json: Json, draw: Draw, suited: Suited, schemas: Schemas, name = ""): unknown => {
  if (Object.hasOwn(suited, name)) return suited[name];
  const again = (part: Json, as = "") => sampleOf(part, draw, suited, schemas, as);
  if (json.$ref !== undefined) return again(schemas[json.$ref.slice(json.$ref.lastIndexOf("/") + 1)] ?? {});
  if (json.const !== undefined) return json.const;
  if (json.enum) return json.enum[draw(json.enum.length)];
  const either = json.anyOf ?? json.oneOf;
  if (either) return again(either[draw(either.length)] ?? {}, name);
  const types = Array.isArray(json.type) ? json.type : [json.type];
  const type = types[draw(types.length)];
  if (type === "null") return null;
  if (type === "boolean") return draw(2) === 1;
  if (type === "integer" || type === "number") return numberOf({ ...json, type }, draw);
  if (type === "array") return Array.from({ length: draw(3) }, () => again(json.items ?? {}, name));
  if (type !== "object") return textOf(json, draw);
  const members = Object.entries(json.properties ?? {});
  const chosen = members.filter(([member]) => json.required?.includes(member) === true || draw(2) === 1);
  return Object.fromEntries(chosen.map(([member, part]) => [member, again(part, member)]));
};
