import type { Context } from "hono";

/** Limits how much of a header is read: what browsers send has fewer than 300 characters. */
const MAX_LENGTH = 1_000;

/** Reads the weight of each range. All image types count as one, with the greatest of their weights. */
const weightsOf = (accept: string): Map<string, number> => {
  const weights = new Map<string, number>();
  for (const range of accept.split(",")) {
    const [type = "", ...parameters] = range.split(";").map((word) => word.trim());
    const name = type.startsWith("image/") ? "image/*" : type;
    // A weight that is not a number counts as 0.
    const weight = Number(parameters.find((word) => word.startsWith("q="))?.slice(2) ?? 1) || 0;
    weights.set(name, Math.max(weights.get(name) ?? 0, weight));
  }
  return weights;
};

/**
 * Tells whether a request's `Accept` names a type, or any image, and weighs it no less than the others, which may be
 * given as a range.
 *
 * @param type a type in small letters, or `image/*`
 */
export const asksFor = (c: Context, type: string, ...others: string[]): boolean => {
  const accept = (c.req.header("accept") ?? "").slice(0, MAX_LENGTH).toLowerCase();
  // Most requests do not name the type, and need not be parsed.
  if (!accept.includes(type.replace("*", ""))) return false;
  const weights = weightsOf(accept);
  const weight = weights.get(type) ?? 0;
  const weightOf = (other: string): number =>
    weights.get(other) ?? weights.get(other.replace(/\/.*/, "/*")) ?? weights.get("*/*") ?? 0;
  return weight > 0 && others.every((other) => weight >= weightOf(other));
};
