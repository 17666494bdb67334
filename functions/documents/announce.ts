import type { Changed } from "../../db/documents/outdate.ts";
import { announceChanges } from "./changes.ts";

/** Holds what of a request's context publishing needs. */
type Context = { env: Env; executionCtx: Pick<ExecutionContext, "waitUntil"> };

/** Publishes what a change outdated, behind the answer, and makes the isolate's next request see the new state. */
export const announce = <Value>(c: Context, { value, outdated }: Changed<Value>): Value => {
  if (outdated.length > 0) announceChanges(c.env, c.executionCtx, outdated);
  return value;
};
