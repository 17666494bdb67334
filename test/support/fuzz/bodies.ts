import type { Plan, Spoil } from "./plans.ts";

type Body = Record<string, unknown>;

const isObject = (value: unknown): value is Body =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Lists every object within a value, itself included. */
const objectsIn = (value: unknown): Body[] => {
  if (typeof value !== "object" || value === null) return [];
  return [...(isObject(value) ? [value] : []), ...Object.values(value).flatMap(objectsIn)];
};

/** Spoils one member of a body, in place. A list without members gets one. */
const spoil = (body: Body, { at, how, name, value: planned }: Spoil): void => {
  // The next spoil may be within this value, which other plans share.
  const value = structuredClone(planned);
  const members = objectsIn(body).flatMap((object) => Object.keys(object).map((key) => [object, key] as const));
  // A list has no names: a great number as a name would make the list that long.
  if (members.length === 0 && Array.isArray(body)) return void body.push(value);
  const [object, key] = members[at % Math.max(1, members.length)] ?? [body, name];
  if (how === "drop") delete object[key];
  else if (how === "add")
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = how === "wrap" ? [object[key]] : value;
};

/**
 * Writes the body that a plan makes from a valid one.
 *
 * @returns undefined for none
 */
export const bodyOf = (plan: Plan, valid: unknown): string | undefined => {
  if (plan.body === "none") return undefined;
  if (plan.body === "text") return plan.text;
  const text = JSON.stringify(valid ?? {});
  if (plan.body === "own" || plan.body === "beside") return valid === undefined ? undefined : text;
  if (plan.body === "twice") return text.replace("{", `{${text.slice(1, -1)}${text === "{}" ? "" : ","}`);
  if (plan.body === "cut") return text.slice(0, plan.spoils.length * 7);
  const body = JSON.parse(text) as Body;
  for (const one of plan.spoils) spoil(body, one);
  return JSON.stringify(body);
};
