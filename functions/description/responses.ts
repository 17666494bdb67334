import { CASES, type ErrorCase } from "./errors.ts";
import type { Described } from "./described.ts";
import { opened, schemaOf, type Json } from "./json-schema.ts";
import type { Answer } from "./operations/operation.ts";

const REASONS: Record<number, string> = {
  400: "The request breaks a rule",
  401: "No valid credential",
  403: "Not allowed",
  404: "Unknown",
  409: "A conflict",
  410: "Too late",
  412: "Changed meanwhile",
  413: "Too large",
  415: "Another type of body",
  422: "A used key",
  429: "Too many calls",
  500: "A failure",
  503: "Not available",
};

const RATE_LIMIT = Object.fromEntries(
  ["Limit", "Remaining", "Reset"].map((name) => [
    `X-RateLimit-${name}`,
    { $ref: `#/components/headers/RateLimit${name}` },
  ]),
);

/** Says of an answer whether it was counted, may be tried, may come again, and has a tag. */
type About = { isCounted: boolean; isTried: boolean; isAgain: boolean; isTagged: boolean };

const headersOf = (status: number, { isCounted, isTried, isAgain, isTagged }: About) => ({
  "x-request-id": { $ref: "#/components/headers/RequestId" },
  ...(isCounted ? RATE_LIMIT : {}),
  ...(isTried ? { "Lanyap-Dry-Run": { $ref: "#/components/headers/DryRun" } } : {}),
  ...(isAgain ? { "Idempotent-Replayed": { $ref: "#/components/headers/Replayed" } } : {}),
  ...(isTagged || status === 412 ? { ETag: { $ref: "#/components/headers/Tag" } } : {}),
  ...(status === 429 || status === 503 ? { "Retry-After": { $ref: "#/components/headers/RetryAfter" } } : {}),
});

const contentOf = ({ content = {} }: Answer) =>
  Object.fromEntries(
    Object.entries(content).map(([type, schema]) => [
      type,
      schema === null ? {} : { schema: opened(schemaOf(schema)) },
    ]),
  );

const anyOf = (schemas: Json[]): Json => (schemas.length === 1 && schemas[0] ? schemas[0] : { anyOf: schemas });

const responseOf = (answer: Answer, cases: readonly ErrorCase[], status: number, headers: object) => {
  const reasons = cases.map(({ code, when }) => `\`${code}\`: ${when}`).join("; ");
  const content = contentOf(answer);
  const known = content["application/json"]?.schema;
  const errors = cases.map(({ schema }) => schemaOf(schema));
  const bodies =
    cases.length === 0 ? {} : { "application/json": { schema: anyOf(known ? [known, ...errors] : errors) } };
  return {
    description: [answer.text ?? REASONS[status] ?? "Done", ...(reasons === "" ? [] : [reasons])].join(". "),
    headers,
    ...(answer.content || cases.length > 0 ? { content: { ...content, ...bodies } } : {}),
  };
};

/**
 * Describes what an operation answers, by status.
 *
 * @param shared gets the refusals that several operations have, under their names
 */
export const responsesOf = ({ route, operation, errors, isTagged }: Described, shared: Record<string, object>) => {
  const isCounted = errors.includes("tooMany");
  const cases = errors.map((name): ErrorCase => CASES[name]);
  const statuses = new Set([...Object.keys(operation.answers).map(Number), ...cases.map(({ status }) => status)]);
  const responses: Record<string, object> = {};
  for (const status of [...statuses].toSorted((a, b) => a - b)) {
    const own = cases.filter((error) => error.status === status);
    const answer = operation.answers[status];
    // What is refused for its credential is not counted.
    const counted = isCounted && status !== 401;
    const isTried = answer !== undefined && route.query !== null && "dryRun" in route.query.shape;
    const isAgain = answer !== undefined && route.takesKey === "answered again";
    const about = { isCounted: counted, isTried, isAgain, isTagged: answer !== undefined && isTagged };
    const response = responseOf(answer ?? {}, own, status, headersOf(status, about));
    if (answer) {
      responses[status] = response;
      continue;
    }
    const name = `${own.map((error) => error.name).join("Or")}${counted ? "OfChange" : ""}`;
    shared[name] = response;
    responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return responses;
};
