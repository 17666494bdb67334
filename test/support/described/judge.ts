import type * as z from "zod";
import { CASES, type ErrorCase } from "../../../functions/description/answers/errors.ts";
import type { Described } from "../../../functions/description/described.ts";

/** Holds those parts of an answer that a description covers. */
export type Told = { status: number; type: string; text: string };

/** Holds the name under which a described answer counts as seen, or else what is wrong with the answer. */
export type Verdict = { seen: string } | { problem: string };

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const linesOf = (text: string): unknown[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map(parsed);

const issuesOf = (schema: z.ZodType, value: unknown): string[] => {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).map((issue) => `${issue.path.map(String).join(".")}: ${issue.message}`);
};

const codeOf = (body: unknown): string | undefined => {
  if (typeof body !== "object" || body === null) return undefined;
  const inner = "code" in body ? body : "error" in body ? body.error : undefined;
  return typeof inner === "object" && inner !== null && "code" in inner ? String(inner.code) : undefined;
};

/** Says what is wrong with the content of a success, or null. */
const contentProblem = (schema: z.ZodType | null | undefined, type: string, text: string): string | null => {
  if (schema === undefined) return `the type ${type} is not described`;
  if (schema === null || !/json/.test(type)) return null;
  const values = type === "application/x-ndjson" ? linesOf(text) : [parsed(text)];
  return values.flatMap((value) => issuesOf(schema, value))[0] ?? null;
};

/** Judges an answer of an operation by its description: status, type, and each member of a body. */
export const judge = (
  { route, operation, errors }: Described,
  { status, type, text }: Told,
  isHead: boolean,
): Verdict => {
  const answer = operation.answers[status];
  const named = (what: string) => ({ seen: `${route.name} ${status} ${what}` });
  if (isHead) {
    const isKnown = answer !== undefined || errors.some((name) => CASES[name].status === status);
    return isKnown ? { seen: "" } : { problem: `${status} is not described` };
  }
  const body = type === "application/json" ? parsed(text) : undefined;
  const code = codeOf(body);
  if (code !== undefined && status >= 400) {
    const cases = errors.map((name): ErrorCase => CASES[name]).filter((error) => error.status === status);
    const own = cases.filter((error) => error.code === code);
    if (own.length === 0) return { problem: `${status} ${code} is not described` };
    const problems = own.map(({ schema }) => issuesOf(schema, body)[0]);
    return problems.includes(undefined) ? named(code) : { problem: `${code}: ${problems.join(" | ")}` };
  }
  if (!answer) return { problem: `${status} is not described` };
  if (!answer.content) return text === "" ? named("empty") : { problem: `${status} has a body` };
  const problem = contentProblem(answer.content[type], type, text);
  return problem === null ? named(type) : { problem };
};

/** Lists the names under which the answers of an operation count as seen, once each. */
export const expectedOf = ({ route, operation, errors }: Described): string[] => {
  const answers = Object.entries(operation.answers).flatMap(([status, { content }]) =>
    content ? Object.keys(content).map((type) => `${route.name} ${status} ${type}`) : [`${route.name} ${status} empty`],
  );
  const refusals = errors.map((name) => `${route.name} ${CASES[name].status} ${CASES[name].code}`);
  return [...new Set([...answers, ...refusals])];
};
