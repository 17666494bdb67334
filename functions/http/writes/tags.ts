import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { Writing } from "../../../db/core/writing/writing.ts";
import { invalidInput } from "../errors.ts";
import type { AppEnv } from "../factory.ts";

const TAG = /(?:W\/)?"([^"]*)"/g;

/** Reads the tags of a header `If-Match`, weak ones like others. A tag that no resource can have becomes `-`. */
const tagsIn = (header: string): string[] => {
  const tags = [...header.matchAll(TAG)].map(([, tag = ""]) => (/^\w+$/.test(tag) ? tag : "-"));
  if (tags.length > 0 && /^[\s,]*$/.test(header.replaceAll(TAG, ""))) return tags;
  throw invalidInput(["If-Match: must be * or tags in quotes, as ETag has them"]);
};

/**
 * Lets a change happen only to a version of its resource that the header `If-Match` names, or to any if there is no
 * header.
 */
export const ifMatch = createMiddleware<AppEnv & { Variables: { writing: Writing } }>(async (c, next) => {
  const header = c.req.header("if-match")?.trim() ?? "*";
  if (header !== "*") c.var.writing.tags = tagsIn(header);
  await next();
});

/** Puts the tag of a resource on its answer, and returns the resource without it. */
export const tagged = <Resource extends { tag: string }>(
  c: Pick<Context, "header">,
  { tag, ...resource }: Resource,
): Omit<Resource, "tag"> => {
  c.header("ETag", `"${tag}"`);
  return resource;
};

/** Says in one word what a deletion did, and puts the tag of what was archived on the answer; null was deleted. */
export const howGone = (c: Pick<Context, "header">, archived: { tag: string } | null): "archived" | "deleted" => {
  if (!archived) return "deleted";
  tagged(c, archived);
  return "archived";
};
