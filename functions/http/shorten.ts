import type { Details } from "../../db/core/errors.ts";

const lengthOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

/** Limits one entry of a list. */
const MAX_ENTRY = 300;

/** Leaves room for saying how many more entries there are. */
const ROOM_FOR_REST = 30;

const TOO_LONG = "a value that is too long to be shown";

/** Cuts a text until its JSON has at most so many characters, and shows that it was cut. */
export const cut = (text: string, limit: number): string => {
  if (lengthOf(text) <= limit) return text;
  let end = Math.min(text.length, limit);
  while (end > 0 && lengthOf(`${text.slice(0, end)}…`) > limit) end = Math.floor(end / 2);
  return `${text.slice(0, end).toWellFormed()}…`;
};

/** Keeps the first entries of a list whose JSON has at most so many characters, and says how many more there are. */
const first = (list: readonly unknown[], limit: number): unknown[] => {
  const kept: unknown[] = [];
  let left = limit - ROOM_FOR_REST;
  for (const entry of list) {
    const shown = fit(entry, MAX_ENTRY);
    left -= lengthOf(shown) + 1;
    if (left < 0) break;
    kept.push(shown);
  }
  return kept.length < list.length ? [...kept, `and ${list.length - kept.length} more`] : kept;
};

const fit = (value: unknown, limit: number): unknown => {
  if (lengthOf(value) <= limit) return value;
  if (typeof value === "string") return cut(value, limit);
  return Array.isArray(value) ? first(value, limit) : TOO_LONG;
};

/**
 * Returns an error's details, shortened so that their JSON has at most about so many characters: long texts are cut,
 * and long lists keep their first entries. An answer must not grow with what was sent. Short details stay as they are.
 */
export const shorten = (details: Details, limit: number): Details => {
  if (lengthOf(details) <= limit) return details;
  if (Array.isArray(details)) return first(details, limit) as Details;
  const entries = Object.entries(details);
  const share = Math.floor(limit / Math.max(1, entries.length));
  return Object.fromEntries(entries.map(([name, value]) => [name, fit(value, share - name.length)])) as Details;
};
