import { toHex } from "../encoding.ts";

/** Describes what a statement takes as a parameter. */
export type Parameter = string | number | bigint | boolean | object | null | undefined;

/**
 * Returns a parameter of a statement as the text that Postgres reads: times as ISO 8601 in UTC, bytes as hex, lists as
 * arrays, other objects as JSON.
 */
export const parameterText = (value: Parameter): string | null => {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return `{${value.map(elementText).join(",")}}`;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `\\x${toHex(value)}`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

const elementText = (value: Parameter): string | null => {
  const text = parameterText(value) ?? "NULL";
  return value === null || value === undefined || Array.isArray(value)
    ? text
    : `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
};
