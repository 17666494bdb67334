import type { Changed } from "../../db/documents/outdate.ts";
import { noteChanges } from "./changes.ts";
import { publishDocuments } from "./publish.ts";

/** Holds what of a request's context publishing needs. */
type Context = { env: Env; executionCtx: Pick<ExecutionContext, "waitUntil"> };

/** Publishes what a change outdated, behind the answer, and makes the isolate's next request see the new state. */
export const announce = <Value>(c: Context, { value, outdated, built }: Changed<Value>): Value => {
  if (outdated.length === 0) return value;
  noteChanges(outdated, built ?? new Map());
  c.executionCtx.waitUntil(publishDocuments(c.env, outdated));
  return value;
};
