import type { ExtractSchema } from "hono/types";
import type { JSONParsed } from "hono/utils/types";
import type * as z from "zod";
import type { App } from "../app.ts";
import type { Envelope } from "../answer/envelope.ts";
import type { conversionData, sumData } from "../routes/tracking/conversion/answer.ts";
import type { OPERATIONS } from "./operations/all.ts";
import type { envelope } from "./schemas/open.ts";
import type { conversion, conversionSum } from "./schemas/tracking.ts";

type Routes = ExtractSchema<App>;
type Operations = typeof OPERATIONS;

type OutputOf<Endpoint> = Endpoint extends { output: infer Output; outputFormat: "json" } ? Output : never;

/** Names the type that a handler answers as JSON; never if its type does not say. */
type AnsweredBy<Name> = Name extends `${infer Method} ${infer Path}`
  ? Path extends keyof Routes
    ? `$${Lowercase<Method>}` extends keyof Routes[Path]
      ? OutputOf<Routes[Path][`$${Lowercase<Method>}`]>
      : never
    : never
  : never;

type JsonOf<Answer> = Answer extends { content: { "application/json": infer Schema extends z.ZodType } }
  ? z.output<Schema>
  : never;

/** Names the type that an operation answers as JSON, by its description. */
type DescribedAs<Name extends keyof Operations> = JsonOf<
  Operations[Name]["answers"][keyof Operations[Name]["answers"]]
>;

/** Names the operations whose handlers answer something other than what is described. */
type Wrong = {
  [Name in keyof Operations]: [AnsweredBy<Name>] extends [DescribedAs<Name>] ? never : Name;
}[keyof Operations];

/** Compares what is described with what handlers answer: `tsc` fails here, and names the operations that differ. */
export const held: [Wrong] extends [never] ? true : Wrong = true;

type Fits<Answered, Schema extends z.ZodType> = [JSONParsed<Answered>] extends [z.output<Schema>] ? true : "differs";

/** Compares those whose handlers make their own response. */
export const heldByHand: [
  Fits<Envelope, typeof envelope>,
  Fits<ReturnType<typeof conversionData>, typeof conversion>,
  Fits<ReturnType<typeof sumData>, typeof conversionSum>,
] = [true, true, true];
