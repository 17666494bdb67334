import * as z from "zod";
import type { ErrorName } from "../answers/errors.ts";
import type { OWN_HEADERS } from "../info.ts";

/** Names headers that an answer has besides those that follow from its route. */
type Headers = readonly (keyof typeof OWN_HEADERS)[];

/** Describes a success: its content by media type, null for content that is not text, and none without a body. */
export type Answer = { text?: string; content?: Readonly<Record<string, z.ZodType | null>>; headers?: Headers };

/**
 * Describes what a route's own declarations do not say: its name, its texts, what it answers and what else it refuses.
 */
export type Operation = {
  /** Names the operation for clients; it never changes. */
  id: string;
  summary: string;
  description?: string;
  answers: Readonly<Record<number, Answer>>;
  /** Lists refusals besides those that follow from its parts. */
  errors?: readonly ErrorName[];
  /** Names headers of its refusals, by status. */
  refusalHeaders?: Readonly<Record<number, Headers>>;
  /** Says who may call, if no middleware of the route does. */
  access?: "page" | "anyone";
  /** Holds the schemas of what the handler itself reads. */
  query?: () => z.ZodObject;
  body?: () => z.ZodType;
  /** Lists the media types of a body that is not only JSON. */
  types?: readonly string[];
  /** Holds a body that works with the demo network. */
  example?: unknown;
};

export type Operations = Readonly<Record<string, Operation>>;

/** Describes an answer of JSON. */
export const json = <Schema extends z.ZodType>(schema: Schema, text = "Done") => ({
  text,
  content: { "application/json": schema },
});

/** Describes an answer of JSON, or of CSV for callers that accept that. */
export const table = <Schema extends z.ZodType>(schema: Schema) => ({
  text: "The rows; CSV for `Accept: text/csv`",
  content: { "application/json": schema, "text/csv": z.string() },
  headers: ["Content-Disposition"] as const,
});
