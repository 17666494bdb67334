import { CASES, type ErrorCase } from "./errors.ts";
import type { Described } from "../described.ts";
import { OWN_HEADERS } from "../info.ts";
import { opened, schemaOf, type Json } from "../json-schema.ts";
import type { Answer } from "../operations/operation.ts";

const REASONS: Record<number, string> = {
  400: "The request breaks a rule",
  401: "No valid credential",
  403: "Not allowed",
  404: "Unknown",
  409: "Conflict",
  410: "Too late",
  412: "Changed in the meantime",
  413: "Too large",
  415: "Unsupported type of body",
  422: "Key already used",
  429: "Too many calls",
  500: "Failure",
  503: "Not available",
};

const RATE_LIMIT = Object.fromEntries(
  ["Limit", "Remaining", "Reset"].map((name) => [
    `X-RateLimit-${name}`,
    { $ref: `#/components/headers/RateLimit${name}` },
  ]),
);

/** Says whether an answer's call is counted, may be a dry run, may be a replay, and whether it has a tag. */
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

const ownHeaders = (names: readonly (keyof typeof OWN_HEADERS)[] = []) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${OWN_HEADERS[name]}` }]));

/** Tells whether an operation refuses with 403 only read-only tokens, which are not counted. */
const isUncounted = ({ route, operation }: Described, cases: readonly ErrorCase[]): boolean =>
  cases.every(({ name }) => name === CASES.readOnly.name) &&
  !route.reachesPublisher &&
  operation.errors?.includes("readOnly") !== true;

/** Names the refusals that several operations have in common. */
const sharedName = (cases: readonly ErrorCase[], about: About, own: readonly string[]): string => {
  const of = about.isTried ? "OfTriedChange" : about.isCounted ? "OfChange" : "";
  return `${cases.map(({ name }) => name).join("Or")}${of}${own.length > 0 ? "With" : ""}${own.join("And").replaceAll("-", "")}`;
};

/**
 * Describes what an operation answers, by status.
 *
 * @param shared receives the refusals that several operations have, under their names
 */
export const responsesOf = (described: Described, shared: Record<string, object>) => {
  const { route, operation, errors, isTagged } = described;
  const canBeTried = route.query !== null && "dryRun" in route.query.shape;
  const cases = errors.map((name): ErrorCase => CASES[name]);
  const statuses = new Set([...Object.keys(operation.answers).map(Number), ...cases.map(({ status }) => status)]);
  const responses: Record<string, object> = {};
  for (const status of [...statuses].toSorted((a, b) => a - b)) {
    const refusals = cases.filter((error) => error.status === status);
    const answer = operation.answers[status];
    const own = (answer ? answer.headers : operation.refusalHeaders?.[status]) ?? [];
    // A call that is refused for its credential is not counted, and it is not known yet whether it is a dry run.
    const isEarly = status === 401 || (status === 403 && isUncounted(described, refusals));
    const about = {
      isCounted: errors.includes("tooMany") && !isEarly,
      isTried: canBeTried && !isEarly && status !== 429,
      isAgain: answer !== undefined && route.takesKey === "answered again",
      isTagged: answer !== undefined && isTagged,
    };
    const headers = { ...headersOf(status, about), ...ownHeaders(own) };
    const response = responseOf(answer ?? {}, refusals, status, headers);
    if (answer) {
      responses[status] = response;
      continue;
    }
    const name = sharedName(refusals, about, own);
    shared[name] = response;
    responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return responses;
};
