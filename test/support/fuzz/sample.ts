import type { Json } from "../../../functions/description/json-schema.ts";

/** Draws a whole number from 0 to below a limit. */
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

/** Holds values for members that only some texts suit, such as ids of a world, by their names. */
export type Suited = Readonly<Record<string, unknown>>;

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

/** Makes a value that a schema does not accept: just out of its range, or of another type. */
const besideOf = ({ minimum, maximum, maxLength, enum: values = [] }: Json, draw: Draw): unknown => {
  const near = [
    null,
    "",
    [],
    "0",
    true,
    ...(minimum === undefined ? [] : [minimum - 1, minimum + 0.5]),
    ...(maximum === undefined ? [] : [maximum + 1, String(maximum)]),
    ...(typeof maxLength === "number" ? ["x".repeat(maxLength + 1), " ".repeat(maxLength)] : []),
    ...values.map((value) => `${String(value)} `),
  ];
  return near[draw(near.length)];
};

/** Holds what values are made from: draws, values that suit names, and the schemas that others refer to. */
export type Source = { draw: Draw; suited: Suited; schemas: Readonly<Record<string, Json>> };

/**
 * Makes a value that a schema of the description accepts, as far as the schema says. About half of the optional members
 * are included.
 *
 * @param slips says that one part of it is something that the schema does not accept
 */
export const sampleOf = (json: Json, source: Source, name = "", slips = false): unknown => {
  const { draw, suited, schemas } = source;
  const again = (part: Json, as: string, isBeside = slips) => sampleOf(part, source, as, isBeside);
  if (!slips && Object.hasOwn(suited, name)) return suited[name];
  if (json.$ref !== undefined) return again(schemas[json.$ref.slice(json.$ref.lastIndexOf("/") + 1)] ?? {}, "");
  const either = json.anyOf ?? json.oneOf;
  if (either) return again(either[draw(either.length)] ?? {}, name);
  const types = Array.isArray(json.type) ? json.type : [json.type];
  const type = types[draw(types.length)];
  if (type === "object") {
    const members = Object.entries(json.properties ?? {});
    const chosen = members.filter(([member]) => json.required?.includes(member) === true || draw(2) === 1);
    const at = slips ? draw(Math.max(1, chosen.length)) : -1;
    return Object.fromEntries(chosen.map(([member, part], i) => [member, again(part, member, i === at)]));
  }
  if (slips && !(type === "array" && draw(2) === 1)) return besideOf(json, draw);
  if (json.const !== undefined) return json.const;
  if (json.enum) return json.enum[draw(json.enum.length)];
  if (type === "null") return null;
  if (type === "boolean") return draw(2) === 1;
  if (type === "integer" || type === "number") return numberOf({ ...json, type }, draw);
  if (type === "array") {
    const items = Array.from({ length: draw(3) + (slips ? 1 : 0) }, () => again(json.items ?? {}, name, false));
    return slips ? [again(json.items ?? {}, "", true), ...items.slice(1)] : items;
  }
  return textOf(json, draw);
};
