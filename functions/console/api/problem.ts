import { LanyapError } from "#client";

/** Describes why a call failed, in words, with what a person needs to ask for help. */
export type Problem = LanyapError;

/** Turns whatever was thrown into a problem. */
export const asProblem = (error: unknown): Problem =>
  error instanceof LanyapError
    ? error
    : new LanyapError("UNEXPECTED_ANSWER", error instanceof Error ? error.message : String(error));

/** Says in one line why something failed, with what a person needs to ask for help. */
export const inWords = (error: unknown): string => {
  const { message, code, requestId } = asProblem(error);
  return `${message} (${code}${requestId ? `, request ${requestId}` : ""})`;
};

/** Tells whether the same call may succeed another time: the service did not answer, or it was busy or failed. */
export const mayPass = ({ code, status }: Pick<Problem, "code" | "status">): boolean =>
  code === "UNEXPECTED_ANSWER" || status === 0 || status === 429 || status >= 500;

const ADVICE: Record<string, string> = {
  FORBIDDEN: "Your token may not do this.",
  PRECONDITION_FAILED: "Somebody has changed it meanwhile.",
  UNREACHABLE: "Check your connection, and try again.",
  TIMEOUT: "The service is slow. Try again.",
  RATE_LIMIT_EXCEEDED: "That was more changes than are allowed in a minute.",
  INTERNAL_SERVER_ERROR:
    "Something went wrong in the service. Trying again may help. If it does not, give whoever runs the service the request id.",
};

/** Lists what leaves open whether a change was made. */
const OPEN = new Set(["UNREACHABLE", "TIMEOUT"]);

/**
 * Says in other words than the service what a code means, or what to do, if there is more to say.
 *
 * @param isChange tells that a change has failed, which may have been made all the same
 */
export const adviceFor = ({ code, details }: Pick<Problem, "code" | "details">, isChange: boolean): string => {
  // A refusal with details is about what they name, such as placements that are active, not about the token.
  if (code === "FORBIDDEN" && details !== null) return "";
  const advice = ADVICE[code] ?? "";
  return isChange && OPEN.has(code) ? `${advice} The same, sent again, is done only once.` : advice;
};

const textsOf = ({ details }: Pick<Problem, "details">): string[] =>
  Array.isArray(details) ? details.filter((text) => typeof text === "string") : [];

const fieldIn = (details: unknown): string | null => {
  if (typeof details !== "object" || details === null || !("field" in details)) return null;
  return typeof details.field === "string" ? details.field : null;
};

/** Maps fields to what a refusal says about them: it lists texts such as `field: message`, or names one field. */
export const fieldProblems = (found: Problem | null): Record<string, string> => {
  if (!found) return {};
  const field = fieldIn(found.details);
  if (field !== null) return { [field]: found.message };
  const texts = textsOf(found).filter((text) => text.includes(": "));
  return Object.fromEntries(
    texts.map((text) => [text.slice(0, text.indexOf(": ")), text.slice(text.indexOf(": ") + 2)]),
  );
};

/** Returns a refusal's message and the texts that it lists, each once: most messages end with all of them. */
export const linesOf = (found: Pick<Problem, "message" | "details">): { lead: string; texts: string[] } => {
  const texts = textsOf(found);
  const listed = texts.join("; ");
  const { message } = found;
  const lead = listed !== "" && message.endsWith(listed) ? message.slice(0, -listed.length).trim() : message;
  return { lead, texts };
};
