import { parse as parseArray } from "postgres-array";

/** Turns the text of a value that is not null into the value. */
export type Parse = (text: string) => unknown;

const integer: Parse = (text) => Number.parseInt(text, 10);
const float: Parse = (text) => Number.parseFloat(text);
const bool: Parse = (text) => text === "t";
const json: Parse = (text) => JSON.parse(text) as unknown;

const listOf =
  (parse: Parse): Parse =>
  (text) =>
    parseArray(text, parse);

const asItIs: Parse = (text) => text;

/**
 * Maps the ids of types in `pg_type` to how their values are read. Values of other types stay texts: int8 and numeric,
 * which may not fit a number; times, which drizzle's columns read themselves; and ids, which are texts anyway.
 */
const PARSERS: { readonly [typeId: number]: Parse } = {
  16: bool,
  21: integer, // int2
  23: integer, // int4
  26: integer, // oid
  114: json,
  199: listOf(json),
  700: float, // float4
  701: float, // float8
  1000: listOf(bool),
  1005: listOf(integer), // int2[]
  1007: listOf(integer), // int4[]
  1009: listOf(asItIs), // text[]
  1015: listOf(asItIs), // varchar[]
  1016: listOf(asItIs), // int8[]
  1021: listOf(float), // float4[]
  1022: listOf(float), // float8[]
  3802: json, // jsonb
  3807: listOf(json), // jsonb[]
};

/** Returns the function that turns a text into a value, by the type's id in `pg_type`, as Neon's own driver does. */
export const parserOf = (typeId: number): Parse => PARSERS[typeId] ?? asItIs;
