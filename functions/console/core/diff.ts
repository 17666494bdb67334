import { moment } from "./format.ts";
import { numberText } from "./labels.ts";
import { isSame } from "./same.ts";

/** Describes a member that changed, as it was and as it is, in readable words. */
export type Change = { name: string; before: string | null; after: string | null };

/** Stands in records for a value that may not be shown: only that it changed. */
const UNTOLD = "hidden";

/** Matches a time in the API's form. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const shown = (name: string, value: unknown): string | null => {
  if (value === undefined) return null;
  if (value === null || value === "") return "empty";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value) && value.every((entry) => typeof entry !== "object")) {
    return value.length === 0 ? "none" : value.join(", ");
  }
  if (typeof value === "number") return numberText(name, value);
  if (typeof value !== "string") return JSON.stringify(value);
  return TIME.test(value) ? moment(value) : value;
};

type Members = Record<string, unknown>;

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Lists what differs between two states by the members' names, those inside objects by their paths. */
export const changesOf = (before: Members | null, after: Members | null, path = ""): Change[] =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].flatMap((key): Change[] => {
    const [was, is] = [before?.[key], after?.[key]];
    const name = path === "" ? key : `${path}.${key}`;
    if (was === UNTOLD && is === UNTOLD) return [{ name, before: null, after: "changed; the value is not kept here" }];
    if (isSame(was, is)) return [];
    if (isMembers(was) && isMembers(is)) return changesOf(was, is, name);
    return [{ name, before: shown(name, was), after: shown(name, is) }];
  });
