import { LanyapError } from "#client";

/** Describes why a call failed, in words, with what a person needs to ask for help. */
export type Problem = LanyapError;

/** Turns whatever was thrown into a problem. */
export const asProblem = (error: unknown): Problem =>
  error instanceof LanyapError
    ? error
    : new LanyapError("UNEXPECTED_ANSWER", error instanceof Error ? error.message : String(error));

/** Says why something failed in one line, with what a person needs to ask for help. */
export const inWords = (error: unknown): string => {
  const { message, code, requestId } = asProblem(error);
  return `${message} (${code}${requestId ? `, request ${requestId}` : ""})`;
};

/** Returns the texts of a refusal that names fields, as `field: message`, by field. */
export const fieldProblems = (found: Problem | null): Record<string, string> => {
  if (!found || !Array.isArray(found.details)) return {};
  const texts = found.details.filter((text): text is string => typeof text === "string" && text.includes(": "));
  return Object.fromEntries(
    texts.map((text) => [text.slice(0, text.indexOf(": ")), text.slice(text.indexOf(": ") + 2)]),
  );
};
